import type { AdminType } from '../../data/api.js';
import { Badge } from '../../parts/badge.js';
import { CopyValue } from '../../parts/copy.js';
import { Card } from '../../parts/page.js';
import { Prose } from '../../parts/prose.js';
import { type Column, Table } from '../../parts/table.js';

type ExamRow = AdminType<'CertificationExam'>;

function Standing({ of: { state, calls, broken } }: { readonly of: ExamRow }) {
  if (broken.length > 0) return <Badge tone="bad">{`${broken.length} violated`}</Badge>;
  if (calls > 0) return <Badge tone="ok">no breach</Badge>;
  return <Badge>{state === 'waiting' ? 'waiting' : 'no calls'}</Badge>;
}

const columns: readonly Column<ExamRow>[] = [
  { title: 'Result', cell: (exam) => <Standing of={exam} /> },
  {
    title: 'Exam',
    cell: ({ title, does }) => (
      <div class="exam">
        <strong>{title}</strong>
        <p class="about">
          <Prose text={does} />
        </p>
      </div>
    ),
  },
  { title: 'Calls', numeric: true, cell: ({ calls }) => calls },
  { title: 'Callbacks', numeric: true, cell: ({ callbacks }) => callbacks },
  {
    title: 'Base URL',
    cell: ({ baseUrl, title }) =>
      baseUrl && (
        <>
          <CopyValue value={baseUrl} name={`the base URL of ${title}`} />{' '}
          <a href={`${baseUrl}/__admin/#/requests`}>
            Requests<span class="unseen">{` of ${title}`}</span>
          </a>
        </>
      ),
  },
];

/** The exams with their addresses, and what the client did there. */
export function Exams({ of }: { readonly of: readonly ExamRow[] }) {
  return (
    <Card
      title="Exams"
      about="Point your client at each base URL. The credentials are the same in all, and on the page Start."
      flush
    >
      <Table label="Exams" columns={columns} rows={of} keyOf={({ id }) => id} />
    </Card>
  );
}

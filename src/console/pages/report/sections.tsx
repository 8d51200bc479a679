import { type Section, type Table as ReportTable, wordsOf } from '../../../conformance/index.js';
import { Card, Facts } from '../../parts/page.js';
import { Table } from '../../parts/table.js';
import { Words } from './words.js';

/** The parts of a report besides its findings; those without rows are left out. */
export function Sections({ of }: { readonly of: readonly Section[] }) {
  return (
    <>
      {of
        .filter(({ table, rows }) => (table?.rows ?? rows ?? []).length > 0)
        .map((one, at) => (
          <SectionCard key={at} of={one} />
        ))}
    </>
  );
}

function SectionCard({
  of: { title, count, meter, paragraphs = [], table, rows = [], note, inner },
}: {
  readonly of: Section;
}) {
  return (
    <Card title={count === undefined ? title : `${title} (${count})`}>
      {meter !== undefined && <meter min={0} max={100} value={meter} aria-label={title} />}
      {paragraphs.map((text) => (
        <p>
          <Words of={text} />
        </p>
      ))}
      {table && <Rows of={table} label={title} />}
      {inner?.table && inner.table.rows.length > 0 && (
        <>
          <h3>{inner.title}</h3>
          <Rows of={inner.table} label={inner.title} />
        </>
      )}
      {rows.length > 0 && (
        <ul class="report-rows">
          {rows.map((row) => (
            <li>
              <Words of={row} />
            </li>
          ))}
        </ul>
      )}
      {note !== undefined && (
        <p class="about">
          <Words of={note} />
        </p>
      )}
    </Card>
  );
}

/** A table; one without a head has names and values. */
function Rows({ of: { head, rows, look }, label }: { readonly of: ReportTable; readonly label: string }) {
  if (rows.length === 0) return null;
  if (head.length === 0) {
    const [name, value] = look === 'pairs' ? [0, 1] : [1, 0];
    return <Facts of={rows.map((row) => [wordsOf(row[name]!), <Words of={row[value]!} />])} />;
  }
  const columns = head.map((title, index) => ({
    title,
    // A cell of a matrix may be empty.
    numeric: rows.some((row) => typeof row[index] === 'number'),
    wrap: typeof rows[0]![index] === 'object' && 'prose' in rows[0]![index],
    cell: (row: (typeof rows)[number]) => <Words of={row[index]!} />,
  }));
  return <Table label={label} columns={columns} rows={rows} keyOf={(row) => JSON.stringify(row)} />;
}

import { compareReports, type FindingChange } from '../../../conformance/index.js';
import { Badge } from '../../parts/badge.js';
import { Card } from '../../parts/page.js';
import type { OpenedReport } from './report-file.js';

const words = (of: FindingChange): string => `${of.id}: ${of.before}, now ${of.after}. ${of.message}`;

/** What has changed from one report to a later one. */
export function Difference({ before, after }: { readonly before: OpenedReport; readonly after: OpenedReport }) {
  const { isRegression, newFindings, fixed, answers, coverage, latency } = compareReports(before.report, after.report);
  const lists: readonly (readonly [title: string, rows: readonly string[]])[] = [
    ['New findings', newFindings.map(words)],
    ['Fixed', fixed.map(words)],
    ['No longer judged', coverage.lost],
    ['Now judged', coverage.gained],
    [
      'Answered in another way',
      answers.map((one) => `${one.question}: ${JSON.stringify(one.before)}, now ${JSON.stringify(one.after)}`),
    ],
    ['95th percentile', latency.map((one) => `${one.operation}: ${one.before} ms, now ${one.after} ms`)],
  ];
  const given = lists.filter(([, rows]) => rows.length > 0);
  return (
    <Card
      title="What has changed"
      about={`From ${before.name} to ${after.name}.`}
      actions={<Badge tone={isRegression ? 'bad' : 'ok'}>{isRegression ? 'regression' : 'no regression'}</Badge>}
    >
      {given.length === 0 && <p>Nothing.</p>}
      {given.map(([title, rows]) => (
        <section key={title}>
          <h3>{`${title} (${rows.length})`}</h3>
          <ul>
            {rows.map((row) => (
              <li key={row}>{row}</li>
            ))}
          </ul>
        </section>
      ))}
    </Card>
  );
}

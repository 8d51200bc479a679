import { toast } from '../../data/toasts.js';
import { FileButton } from '../../parts/files.js';
import { Card, Empty, PageHead } from '../../parts/page.js';
import { Findings } from './findings.js';
import { opened, type OpenedReport, openReport } from './report-file.js';
import { Summary, tones } from './summary.js';
import { compareReports, type FindingChange, type Report, type RuleResult } from '../../../conformance/index.js';
import { Badge } from '../../parts/badge.js';
import { Table } from '../../parts/table.js';

const words = (of: FindingChange): string => `${of.id}: ${of.before}, now ${of.after}. ${of.message}`;

/** What has changed from one report to a later one. */
function Difference({ before, after }: { readonly before: OpenedReport; readonly after: OpenedReport }) {
  const { isRegression, newFindings, fixed, answers, coverage, latency } = compareReports(before.report, after.report);
  const lists: readonly (readonly [title: string, rows: readonly string[]])[] = [
    ['New findings', newFindings.filter(({ isNewlySeen }) => !isNewlySeen).map(words)],
    ['Newly seen findings', newFindings.filter(({ isNewlySeen }) => isNewlySeen).map(words)],
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

const gravity = ['fail', 'error', 'warn'];

/** The gravest finding in an operation of a version. */
function worst({ rules }: Report, operation: string, version: string): RuleResult | undefined {
  const start = version === '*' ? operation : `${version}.${operation}`;
  const found = rules.filter(({ operations = [] }) =>
    operations.some((id) => id === start || id.startsWith(`${start}.`)),
  );
  return gravity.map((verdict) => found.find((rule) => rule.verdict === verdict)).find((rule) => rule);
}

/** The operations by version: rules judged of those that can be seen, and the gravest verdict. */
function Coverage({ of }: { readonly of: Report }) {
  const { cells } = of.coverage;
  const versions = [...new Set(cells.map(({ version }) => version))].sort();
  const names = [...new Set(cells.map(({ operation }) => operation))];
  const columns = versions.map((version) => ({
    title: version === '*' ? 'any' : version,
    cell: (name: string) => {
      const cell = cells.find((one) => one.operation === name && one.version === version);
      if (!cell) return '';
      const verdict = worst(of, name, version)?.verdict ?? (cell.judged > 0 ? 'pass' : 'not judged');
      return (
        <>
          {cell.judged}/{cell.observable} <Badge tone={tones[verdict] ?? 'neutral'}>{verdict}</Badge>
        </>
      );
    },
  }));
  return (
    <Card title="Operations by version" about="Rules judged of those that can be seen, and the gravest verdict." flush>
      <Table
        label="Operations by version"
        columns={[{ title: 'Operation', cell: (name: string) => name }, ...columns]}
        rows={names}
        keyOf={(name) => name}
      />
    </Card>
  );
}

/** The reports of `teebox check`: one in full, two as a difference. */
export default function Conformance() {
  const reports = opened.value;
  const newest = reports.at(-1);
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    try {
      for (const file of event.dataTransfer?.files ?? []) openReport(file.name, await file.text());
    } catch (error) {
      toast((error as Error).message, 'bad');
    }
  };
  return (
    <div onDragOver={(event) => event.preventDefault()} onDrop={(event) => void drop(event)}>
      <PageHead
        title="Conformance"
        about="What teebox check says of a deployment. A report is read in this page and sent nowhere."
        actions={<FileButton label="Open a report" accept=".json" take={openReport} />}
      />
      <div class="stack">
        {reports.length === 2 && <Difference before={reports[0]!} after={reports[1]!} />}
        {newest ? (
          <>
            <Summary of={newest} />
            <Findings of={newest.report} />
            <Coverage of={newest.report} />
          </>
        ) : (
          <Empty title="Drop a report here">
            <p>
              <code>teebox check URL --report json=report.json</code> writes one. With a second one, the page shows what
              has changed.
            </p>
          </Empty>
        )}
      </div>
    </div>
  );
}

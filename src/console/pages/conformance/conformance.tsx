import { useEffect, useState } from 'preact/hooks';
import { dropOnto, FileButton } from '../../parts/files.js';
import { Card, Empty, PageHead } from '../../parts/page.js';
import { Report } from '../report/report.js';
import { Words } from '../report/words.js';
import { Exploring } from './exploring.js';
import { closeReports, opened, type OpenedReport, openReport, reopen } from './report-file.js';
import { compareReports, type FindingChange } from '../../../conformance/index.js';
import { Badge, type Tone } from '../../parts/badge.js';
import { UtcTime } from '../../parts/time.js';

const words = (of: FindingChange): string => `${of.id}: ${of.before}, now ${of.after}. ${of.message}`;

/** What has changed from one report to a later one. */
function Difference({ before, after }: { readonly before: OpenedReport; readonly after: OpenedReport }) {
  if (!before.report || !after.report) return null;
  const { isRegression, newFindings, fixed, answers, coverage, latency } = compareReports(before.report, after.report);
  const lists: readonly (readonly [title: string, rows: readonly string[]])[] = [
    ['New findings', newFindings.filter(({ isNewlySeen }) => !isNewlySeen).map(words)],
    ['Newly seen findings', newFindings.filter(({ isNewlySeen }) => isNewlySeen).map(words)],
    ['Fixed', fixed.map(words)],
    ['No longer evaluated', coverage.lost],
    ['Now evaluated', coverage.gained],
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

const verdictTones: Readonly<Record<number, Tone>> = { 0: 'ok', 1: 'bad' };

function OneReport({ of: { name, model } }: { readonly of: OpenedReport }) {
  return (
    <Report
      of={model}
      page="conformance"
      facts={[
        ['Verdict', <Badge tone={verdictTones[model.exitCode] ?? 'neutral'}>{model.verdict}</Badge>],
        ['File', name],
        ['Started', <UtcTime at={model.startedAt} />],
        ['Run', <Words of={model.summary} />],
      ]}
      actions={
        <button type="button" class="button" onClick={closeReports}>
          Close
        </button>
      }
    />
  );
}

const drop = dropOnto(async (files) => {
  for (const file of files) openReport(file.name, await file.text());
});

/** The reports of `teebox check`, one in full, two as a difference; and those of `teebox explore`. */
export default function Conformance() {
  const reports = opened.value;
  const newest = reports.at(-1);
  const [ready, setReady] = useState(reports.length > 0);
  useEffect(() => {
    void reopen().then(() => setReady(true));
  }, []);
  return (
    <div {...drop}>
      <PageHead
        title="Conformance"
        about="What teebox check and teebox explore say of a deployment. A report stays in this browser until it is closed, and is sent nowhere."
        actions={<FileButton label="Open a report" accept=".json" take={openReport} />}
      />
      <div class="stack">
        {reports.length === 2 && <Difference before={reports[0]!} after={reports[1]!} />}
        {newest ? (
          <OneReport of={newest} />
        ) : !ready ? (
          <p class="loading">Loading…</p>
        ) : (
          <Empty title="Drop a report here">
            <p>
              <code>teebox check URL --report json=report.json</code> writes one, and <code>teebox explore</code> does
              with the same flag. With a second one of <code>check</code>, the page shows what has changed.
            </p>
          </Empty>
        )}
        {ready && <Exploring />}
      </div>
    </div>
  );
}

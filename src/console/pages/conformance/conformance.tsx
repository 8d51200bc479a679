import { toast } from '../../data/toasts.js';
import { FileButton } from '../../parts/files.js';
import { Empty, PageHead } from '../../parts/page.js';
import { Coverage } from './coverage.js';
import { Difference } from './difference.js';
import { Findings } from './findings.js';
import { opened, openReport } from './report-file.js';
import { Summary } from './summary.js';

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

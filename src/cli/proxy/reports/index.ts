import { fileReporters, type ReportFormat } from '../../../conformance/report/index.js';
import { htmlWith } from '../../../conformance/report/html.js';
import { junitSuites } from '../../../conformance/report/junit.js';
import { junitXml } from '../../../conformance/report/formats/junit-xml.js';
import type { RecordedRun } from '../../../conformance/report/reporter.js';
import { visibleJson } from '../../../common/visible.js';
import { clientHtml, clientMarkdown, clientSarif, clientSuites } from './client-side.js';
import type { ProxyRun } from './proxy-run.js';

/** What `check` reports of the deployment. */
const ofDeployment = ({ outcome, exchanges, version }: ProxyRun): RecordedRun => ({
  report: outcome.deployment,
  exchanges,
  version,
});

/** The formats of `proxy --report FORMAT=FILE`: those of `check`, with the client beside the deployment. */
export const proxyReporters: Readonly<Record<ReportFormat, (run: ProxyRun) => string>> = {
  json(run) {
    const { deployment, ...both } = run.outcome;
    const { verdict, exitCode, message } = deployment;
    // The members of a report of `check`, so that `diff` can compare two of them.
    return `${visibleJson({ ...deployment, ...both, deployment: { verdict, exitCode, message } }, 2)}\n`;
  },
  junit: (run) => junitXml([...junitSuites(ofDeployment(run)), ...clientSuites(run)]),
  html: (run) => htmlWith(ofDeployment(run), clientHtml(run)),
  sarif: (run) => {
    const logs = [fileReporters.sarif(ofDeployment(run)), clientSarif(run)].map((text) => JSON.parse(text));
    return `${visibleJson({ ...logs[0], runs: logs.flatMap(({ runs }) => runs) }, 2)}\n`;
  },
  markdown: (run) => `${fileReporters.markdown(ofDeployment(run))}\n${clientMarkdown(run)}`,
  har: (run) => fileReporters.har(ofDeployment(run)),
};

import {
  fileReporters,
  htmlWith,
  junitSuites,
  junitXml,
  type RecordedRun,
  type ReportFormat,
} from '../../../conformance/index.js';
import { visibleJson } from '../../../common/index.js';
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

import { harText } from './formats/har-log.js';
import type { FileReporter } from './reporter.js';

/** All exchanges as an HTTP Archive 1.2, in the order of sending. */
export const harReporter: FileReporter = ({ report: { verdict, target }, exchanges, version }) =>
  harText(exchanges.values(), version, { _baseUrl: target.baseUrl, _runId: target.runId, _verdict: verdict });

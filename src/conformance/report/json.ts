import { visibleJson } from '../../common/index.js';
import { cutExchange } from './formats/bodies.js';
import type { FileReporter } from './reporter.js';
import { shownExchanges } from './shown-exchanges.js';

/** The complete report as JSON, for other programs, with the exchanges that its findings rest on. */
export const jsonReporter: FileReporter = (run) =>
  `${visibleJson({ ...run.report, exchanges: shownExchanges(run).map((one) => cutExchange(one)) }, 2)}\n`;

import type { FileReporter } from './reporter.js';

/** The report as it is, for other programs. */
export const jsonReporter: FileReporter = ({ report }) => `${JSON.stringify(report, null, 2)}\n`;

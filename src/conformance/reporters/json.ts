import type { FileReporter } from './reporter.js';

/** The complete report as JSON, for other programs. */
export const jsonReporter: FileReporter = ({ report }) => `${JSON.stringify(report, null, 2)}\n`;

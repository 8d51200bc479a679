import { harReporter } from './har.js';
import { htmlReporter } from './html.js';
import { jsonReporter } from './json.js';
import { junitReporter } from './junit.js';
import { markdownReporter } from './markdown.js';
import type { FileReporter } from './reporter.js';
import { sarifReporter } from './sarif.js';

/** The formats of `--report FORMAT=FILE`. Add a new format here. */
export const fileReporters = {
  json: jsonReporter,
  junit: junitReporter,
  html: htmlReporter,
  sarif: sarifReporter,
  markdown: markdownReporter,
  har: harReporter,
} as const satisfies Readonly<Record<string, FileReporter>>;

export type ReportFormat = keyof typeof fileReporters;

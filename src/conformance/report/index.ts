import { visibleJson } from '../../common/index.js';
import { checkReport } from './check-report.js';
import { badgeReport } from './badge.js';
import { annotations } from './github.js';
import { harReport } from './har.js';
import { htmlReport } from './html.js';
import { junitReport } from './junit.js';
import { markdownReport } from './markdown.js';
import { FORM, type ReportModel } from './model.js';
import type { FileReporter, RecordedRun } from './recorder.js';
import { sarifReport } from './sarif.js';

export type ReportFormat = 'json' | 'junit' | 'html' | 'sarif' | 'markdown' | 'har' | 'badge';

/** The formats of `--report FORMAT=FILE`, for every command. Add a new format here. */
const formats: Readonly<Record<ReportFormat, (report: ReportModel) => string>> = {
  /** The complete result, for other programs. */
  json: ({ json, version }) => `${visibleJson({ form: FORM, teebox: version, ...json() }, 2)}\n`,
  junit: junitReport,
  html: htmlReport,
  sarif: sarifReport,
  markdown: markdownReport,
  har: harReport,
  badge: badgeReport,
};

export const reportFormats = Object.keys(formats) as readonly ReportFormat[];

/** The formats of a command, by how it maps what it knows into the model of a report. */
export function reportersOf<Known extends readonly unknown[]>(
  modelOf: (...known: Known) => ReportModel,
): Readonly<Record<ReportFormat, (...known: Known) => string>> {
  const entries = reportFormats.map((format) => [format, (...known: Known) => formats[format](modelOf(...known))]);
  return Object.fromEntries(entries) as Record<ReportFormat, (...known: Known) => string>;
}

export const fileReporters: Readonly<Record<ReportFormat, FileReporter>> = reportersOf(checkReport);

/** Annotations of a run of `check` in GitHub Actions, one workflow command per line. */
export function githubAnnotations(run: RecordedRun): readonly string[] {
  return annotations(checkReport(run));
}

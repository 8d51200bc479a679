import { signal } from '@preact/signals';
import { type Exchange, readReport, type Report } from '../../../conformance/index.js';

/** A JSON report of `teebox check`, as it was opened. */
export interface OpenedReport {
  /** The name of the file. */
  readonly name: string;
  readonly report: Report & { readonly exchanges?: readonly Exchange[] };
}

/** The opened reports, the newer run last; they never leave this page. */
export const opened = signal<readonly OpenedReport[]>([]);

const MOST = 2;

/**
 * Opens a file; of three, the one that was opened first is closed.
 *
 * @throws {Error} if it is no report.
 */
export function openReport(name: string, text: string): void {
  let report: OpenedReport['report'];
  try {
    report = readReport(JSON.parse(text)) as OpenedReport['report'];
    if (!report.target || !report.coverage.cells || !report.findings) throw new Error('parts of it are missing.');
  } catch (error) {
    const reason = (error as Error).message;
    throw new Error(`${name} was not opened: ${reason} Drop a file of \`--report json=FILE\`.`, { cause: error });
  }
  const others = opened.value.filter((one) => one.name !== name).slice(1 - MOST);
  opened.value = [...others, { name, report }].sort((a, b) =>
    a.report.target.startedAt < b.report.target.startedAt ? -1 : 1,
  );
}

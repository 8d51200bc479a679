import { fileReporters, type ReportFormat } from '../../conformance/index.js';
import type { Flag, Flags } from '../args.js';

/** A report to write. The file `-` is stdout. */
export interface ReportTarget {
  readonly format: ReportFormat;
  readonly file: string;
}

const formats = Object.keys(fileReporters) as ReportFormat[];

const reportTarget: Pick<Flag<ReportTarget>, 'read' | 'due'> = {
  due: `FORMAT=FILE with one of the formats ${formats.join(', ')}`,
  read(text) {
    const at = text.indexOf('=');
    const format = formats.find((name) => name === text.slice(0, at));
    const path = text.slice(at + 1);
    return format && path !== '' ? { format, file: path } : undefined;
  },
};

/** The flag of commands that write reports. */
export const reportFlags = {
  report: {
    value: 'FORMAT=FILE',
    repeatable: true,
    help: `write a report: ${formats.join(', ')}; - for stdout; repeatable`,
    ...reportTarget,
  },
} as const satisfies Flags;

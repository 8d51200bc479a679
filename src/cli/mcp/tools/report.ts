import * as z from 'zod';
import { counted } from '../../../common/index.js';
import type { ToolContext } from '../tool-context.js';
import { itemFrom, pointer, waitSeconds } from '../inputs.js';
import type { Job } from '../jobs.js';
import { asReport, readReportFile, reportFinding, reportSummary } from '../reports.js';
import { defineTool, readsSandbox, type ToolAnswer, ToolError } from '../tool.js';

const jobId = /^(check|certify)-\d+$/;

export const readReportTool = (context: ToolContext) =>
  defineTool({
    name: 'read_report',
    title: 'Read a report',
    description:
      'A report of check or a certificate, from this session or from a JSON file: its verdict, what needs attention, ' +
      'or one finding with the requests and responses that show it. Use it to find out what to fix, and to wait for ' +
      'a run that was still going on.',
    input: {
      report: z.string().min(1).max(1000).describe('Id such as check-1, or the path of a report in JSON.'),
      finding: z.string().max(100).optional().describe('Id of a rule or an obligation in the report.'),
      verdict: z
        .enum(['fail', 'warn', 'error', 'inconclusive', 'not-run', 'not-seen', 'observed', 'pass'])
        .optional()
        .describe('List those with this verdict instead of those that need attention.'),
      at: pointer.describe('With `finding`: JSON pointer of a part, such as /exchanges/0/response.'),
      from: itemFrom,
      wait_seconds: waitSeconds.describe('How long to wait for a run.'),
    },
    hints: readsSandbox,
    run: async ({ report: name, finding, verdict, at, from, wait_seconds: seconds }, call) => {
      if (at !== undefined && finding === undefined) throw new ToolError('`at` needs a `finding`.');
      const job = jobId.test(name) ? await context.jobs.wait(context.jobs.find(name), call, seconds) : undefined;
      if (job && job.report === undefined) return stillRunning(job);
      const report = job ? asReport(job.report) : await readReportFile(name);
      return finding === undefined
        ? reportSummary(report, name, verdict, from)
        : reportFinding(report, name, finding, at, from);
    },
  });

/** What came of a run, or how far it is. */
export function outcomeOf(job: Job): ToolAnswer {
  return job.report === undefined ? stillRunning(job) : reportSummary(asReport(job.report), job.id);
}

function stillRunning({ id, done, total }: Job): ToolAnswer {
  const far = total === 0 ? 'It has begun' : `${done} of ${counted(total, 'step')} are done`;
  return {
    text: `${id} is still running. ${far}. Wait for it with read_report(report="${id}").`,
    data: { report: id, state: 'running', done, total },
  };
}

import { Badge, type Tone } from '../../parts/badge.js';
import { Card, Facts } from '../../parts/page.js';
import { type OpenedReport, opened } from './report-file.js';

/** The colour of a verdict. */
export const tones: Readonly<Record<string, Tone>> = {
  pass: 'ok',
  fail: 'bad',
  warn: 'warn',
  error: 'bad',
  observed: 'info',
};

/** The verdict of a run, and how many rules came to which. */
export function Summary({ of: { name, report } }: { readonly of: OpenedReport }) {
  const { target, message, verdict, exitCode, counts, coverage, requests, durationMs } = report;
  return (
    <Card
      title={name}
      about={message}
      actions={
        <button type="button" class="button" onClick={() => (opened.value = [])}>
          Close
        </button>
      }
    >
      <Facts
        of={[
          ['Verdict', <Badge tone={exitCode === 0 ? 'ok' : 'bad'}>{verdict}</Badge>],
          ['Deployment', target.baseUrl],
          ['Started', target.startedAt],
          ['Requests', `${requests} in ${(durationMs / 1000).toFixed(1)} s`],
          ['Judged', `${coverage.conclusive}% of ${coverage.observable} rules`],
          [
            'Rules',
            Object.entries(counts).map(([one, count]) => (
              <>{count > 0 && <Badge tone={tones[one] ?? 'neutral'}>{`${count} ${one}`}</Badge>} </>
            )),
          ],
        ]}
      />
    </Card>
  );
}

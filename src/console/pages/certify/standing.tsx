import type { AdminType } from '../../data/api.js';
import { Badge } from '../../parts/badge.js';
import { Card, Facts } from '../../parts/page.js';

/** How the client stands: how many obligations it met and broke, and how many nothing has shown yet. */
export function Standing({ of }: { readonly of: AdminType<'CertificationProgress'> }) {
  const { counts, state, message, startedAt, exams, obligations } = of;
  const calls = exams.reduce((sum, exam) => sum + exam.calls, 0);
  const parts = [
    ['ok', counts.pass, 'met'],
    ['bad', counts.fail, 'broken'],
    ['neutral', counts['not-seen'], 'not seen'],
  ] as const;
  return (
    <Card title="So far" about={message ?? 'Press Ctrl-C in the terminal to end the exams and to get the verdict.'}>
      <div class="standing" aria-hidden="true">
        {parts.map(([tone, count]) => (
          <span key={tone} class={tone} style={{ flexGrow: count }} />
        ))}
      </div>
      <Facts
        of={[
          [
            'Obligations',
            parts.map(([tone, count, word]) => (
              <>
                <Badge tone={tone}>{`${count} ${word}`}</Badge>{' '}
              </>
            )),
          ],
          ['Seen', `${counts.pass + counts.fail} of ${obligations.length}`],
          ['Exams', `${exams.filter((exam) => exam.calls > 0).length} of ${exams.length} with calls`],
          ['Calls', calls],
          ['State', state],
          ['Started', startedAt],
        ]}
      />
    </Card>
  );
}

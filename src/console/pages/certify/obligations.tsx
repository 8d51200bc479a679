import { useState } from 'preact/hooks';
import type { AdminType } from '../../data/api.js';
import { Badge, type Tone } from '../../parts/badge.js';
import { SelectField } from '../../parts/field.js';
import { Card, Empty } from '../../parts/page.js';
import { Prose } from '../../parts/prose.js';

type ObligationRow = AdminType<'CertificationObligation'>;

const order = ['fail', 'not-seen', 'pass'] as const;
const words: Readonly<Record<ObligationRow['verdict'], readonly [Tone, string]>> = {
  fail: ['bad', 'broken'],
  'not-seen': ['neutral', 'not seen'],
  pass: ['ok', 'met'],
};

/** The obligations: the broken ones first, then those that nothing has shown yet. */
export function Obligations({ of }: { readonly of: readonly ObligationRow[] }) {
  const [verdict, setVerdict] = useState('');
  const shown = order.flatMap((one) => of.filter((row) => row.verdict === one && (verdict === '' || verdict === one)));
  const options = order.map((one) => [one, words[one][1]] as const);
  return (
    <Card title="Obligations" about={`${shown.length} of ${of.length}.`}>
      <div class="filters">
        <SelectField label="Verdict" value={verdict} change={setVerdict} options={[['', 'all'], ...options]} />
      </div>
      {shown.length === 0 && <Empty title="No obligation has this verdict." />}
      <ul class="obligations">
        {shown.map((row) => (
          <Obligation key={row.id} of={row} />
        ))}
      </ul>
    </Card>
  );
}

function Obligation({ of }: { readonly of: ObligationRow }) {
  const { id, verdict, severity, statement, message, expected, toSee, exams } = of;
  const [tone, word] = words[verdict];
  return (
    <li>
      <p>
        <Badge tone={tone}>{word}</Badge> <strong>{id}</strong>{' '}
        <span class="about">{[severity, ...exams].join(', ')}</span>
      </p>
      <p>
        <Prose text={statement} />
      </p>
      {message && (
        <p class="happened">
          <Prose text={message} />
        </p>
      )}
      {expected && (
        <p class="about">
          Expected: <Prose text={expected} />
        </p>
      )}
      {toSee && (
        <p class="about">
          To see it: <Prose text={toSee} />
        </p>
      )}
    </li>
  );
}

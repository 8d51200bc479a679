import { useState } from 'preact/hooks';
import { type AdminType, call, curlOf } from '../../data/api.js';
import { sandboxClock } from '../../data/clock.js';
import { hrefOf } from '../../data/route.js';
import { ActionButton } from '../../parts/action.js';
import { Badge } from '../../parts/badge.js';
import { TextField } from '../../parts/field.js';
import { Card, Facts } from '../../parts/page.js';
import { RelativeTime } from '../../parts/time.js';
import { CodeCard, commandLine, typescript } from './code-card.js';
import type { Armed } from './live.js';
import { literal } from './spelling.js';

type RivalsBody = AdminType<'RivalsRequest'>;

/** Competing buyers: on, changed and off. */
export function RivalsPanel({ armed: { rivals, reload } }: { readonly armed: Armed }) {
  const [rate, setRate] = useState('30');
  const [seed, setSeed] = useState('');
  const body: RivalsBody = { rate: Number(rate), ...(seed === '' ? {} : { seed: Number(seed) }) };
  const start = call('POST', 'rivals', { body });
  return (
    <div class="stack">
      <Card
        title="Competing buyers"
        about="They book as other channels would, at the tee sheets that clients looked at last."
        actions={<Badge tone={rivals ? 'accent' : 'neutral'}>{rivals ? 'on' : 'off'}</Badge>}
      >
        {rivals && <RivalsState rivals={rivals} />}
        {sandboxClock.value && sandboxClock.value.mode !== 'running' && (
          <p class="notice">
            The clock stands, so nobody books. <a href="#/clock">Move the clock</a>
          </p>
        )}
        <div class="arm-fields">
          <TextField label="Bookings in an hour" type="number" value={rate} change={setRate} />
          <TextField label="Seed" type="number" value={seed} change={setSeed} placeholder="that of the sandbox" />
        </div>
        <div class="actions">
          <ActionButton command={start} done="Competing buyers are on." then={reload} kind="primary">
            {rivals ? 'Start anew' : 'Start buyers'}
          </ActionButton>
          {rivals && (
            <ActionButton
              command={call('DELETE', 'rivals')}
              done="Competing buyers are off."
              then={reload}
              kind="danger"
            >
              Stop buyers
            </ActionButton>
          )}
        </div>
      </Card>
      <RivalsElsewhere body={body} curl={curlOf(start)} />
    </div>
  );
}

function RivalsState({ rivals }: { readonly rivals: NonNullable<Armed['rivals']> }) {
  const { rate, seed, since, booked, attempts, state } = rivals;
  return (
    <Facts
      of={[
        ['Rate', `${rate} an hour`],
        ['Seed', seed],
        ['Since', <RelativeTime at={since} />],
        ['Booked', <a href={hrefOf(['bookings'], { channel: 'rivals' })}>{booked}</a>],
        ['Attempts', state === 'done' ? `${attempts}, the most` : attempts],
      ]}
    />
  );
}

function RivalsElsewhere({ body, curl }: { readonly body: RivalsBody; readonly curl: string }) {
  const code = literal(body);
  const settings = Object.entries(body).map(([name, value]) => `${name}=${value}`);
  return (
    <CodeCard
      tabs={[
        ['curl', commandLine('the curl command', curl)],
        ['TypeScript', typescript(`await createSandbox({ rivals: ${code} });`, `rivals.start(${code})`)],
        ['Command line', commandLine('the command line', `teebox serve --rivals '${settings.join('; ')}'`)],
      ]}
    />
  );
}

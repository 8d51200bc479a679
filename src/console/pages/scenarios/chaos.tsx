import { counted } from '../../../common/index.js';
import { type AdminCommand, type AdminType, call, curlOf } from '../../data/api.js';
import { useDraft } from '../../data/draft.js';
import { hrefOf } from '../../data/route.js';
import { ActionButton } from '../../parts/action.js';
import { Badge } from '../../parts/badge.js';
import { CheckField, TextField } from '../../parts/field.js';
import { Card, Facts } from '../../parts/page.js';
import { grouped, type ListedScenario } from './catalogue.js';
import { CodeCard, commandLine, typescript } from './code-card.js';
import type { Armed } from './live.js';
import { literal } from './spelling.js';

type Mix = NonNullable<AdminType<'ChaosShown'>['chaos']>['mix'];

/** A random mix of scenarios: on, changed and off. */
export function ChaosPanel({
  scenarios,
  armed: { chaos, reload },
}: {
  readonly scenarios: readonly ListedScenario[];
  readonly armed: Armed;
}) {
  const [rate, setRate] = useDraft('chaos rate', '5');
  const [seed, setSeed] = useDraft('chaos seed', '');
  const [only, setOnly] = useDraft<readonly string[]>('chaos only', []);
  const body: AdminType<'ChaosRequest'> = {
    rate: `${rate}%`,
    ...(seed === '' ? {} : { seed: Number(seed) }),
    ...(only.length === 0 ? {} : { only: [...only] }),
  };
  const start = call('POST', 'chaos', { body });
  const choose = (id: string, chosen: boolean) => setOnly(chosen ? [...only, id] : only.filter((one) => one !== id));
  return (
    <div class="stack">
      <Card
        title="Chaos"
        about="It draws a scenario for a share of the requests. The same seed and requests trigger the same scenarios."
        actions={<Badge tone={chaos ? 'accent' : 'neutral'}>{chaos ? 'on' : 'off'}</Badge>}
      >
        {chaos && <ChaosState chaos={chaos} />}
        <div class="arm-fields">
          <TextField label="Percent of the requests" type="number" value={rate} change={setRate} />
          <TextField label="Seed" type="number" value={seed} change={setSeed} placeholder="that of the sandbox" />
        </div>
        <Choice scenarios={scenarios} only={only} choose={choose} />
        <div class="actions">
          <ActionButton command={start} done="Chaos is on." then={reload} kind="primary">
            {chaos ? 'Start anew' : 'Start chaos'}
          </ActionButton>
          {chaos && (
            <ActionButton command={call('DELETE', 'chaos')} done="Chaos is off." then={reload}>
              Stop chaos
            </ActionButton>
          )}
        </div>
      </Card>
      <ChaosCode start={start} />
    </div>
  );
}

/** What the form asks for, in other words. */
function ChaosCode({ start }: { readonly start: AdminCommand<unknown> }) {
  const settings = Object.entries(start.body as object).map(([name, value]) => `${name}=${value}`);
  const code = literal(start.body);
  return (
    <CodeCard
      tabs={[
        ['curl', commandLine('the curl command', curlOf(start))],
        ['TypeScript', typescript(`sandbox.scenarios.chaos(${code});`, `chaos.start(${code})`)],
        ['Command line', commandLine('the command line', `teebox serve --chaos '${settings.join('; ')}'`)],
      ]}
    />
  );
}

function ChaosState({ chaos }: { readonly chaos: NonNullable<Armed['chaos']> }) {
  const { rate, seed, seen, struck, mix } = chaos;
  return (
    <>
      <Facts
        of={[
          ['Share', `${Number((rate * 100).toFixed(6))} % of the requests`],
          ['Seed', seed],
          ['Requests seen', seen],
          ['Triggered', struck],
        ]}
      />
      <MixBars mix={mix} />
    </>
  );
}

/** What it draws from, each with its share. */
function MixBars({ mix }: { readonly mix: Mix }) {
  const all = mix.reduce((sum, { weight }) => sum + weight, 0);
  const sorted = mix.toSorted((a, b) => b.weight - a.weight);
  return (
    <details>
      <summary>{`Draws from ${counted(mix.length, 'scenario')}`}</summary>
      <ul class="mix">
        {sorted.map(({ scenario, weight }) => (
          <li key={scenario}>
            <a href={hrefOf(['scenarios', scenario])}>{scenario}</a>
            <meter min={0} max={sorted[0]!.weight} value={weight} aria-label={`weight of ${scenario}`} />
            <span>{((weight / all) * 100).toFixed(1)} %</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface ChoiceProps {
  readonly scenarios: readonly ListedScenario[];
  readonly only: readonly string[];
  readonly choose: (id: string, chosen: boolean) => void;
}

function Choice({ scenarios, only, choose }: ChoiceProps) {
  return (
    <details>
      <summary>{only.length === 0 ? 'Draw from all that have a weight' : `Draw from ${only.length} chosen`}</summary>
      <div class="choice">
        {grouped(scenarios, '').map(({ title, scenarios: members }) => (
          <fieldset key={title}>
            <legend>{title}</legend>
            {members.map(({ id }) => (
              <CheckField key={id} label={id} checked={only.includes(id)} change={(chosen) => choose(id, chosen)} />
            ))}
          </fieldset>
        ))}
      </div>
    </details>
  );
}

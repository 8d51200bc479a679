import { type AdminCommand, call, curlOf } from '../../data/api.js';
import { useDraft } from '../../data/draft.js';
import { Badge } from '../../parts/badge.js';
import { CopyValue } from '../../parts/copy.js';
import { Card, Facts } from '../../parts/page.js';
import { ArmCard } from './arm.js';
import { kindOf, type ListedScenario, type PhaseName, phasesOf, phaseWords } from './catalogue.js';
import type { Armed } from './live.js';
import { draftOf, emptyForm, type PlanBody } from './plan-form.js';
import { PlanList } from './plans.js';
import { CodeCard, commandLine, typescript } from './code-card.js';
import { armArguments, planOnly, scenarioText } from './spelling.js';
import { useCall } from '../../data/load.js';
import { Check, CircleSmall, Minus, X, Zap } from 'lucide';
import { Icon } from '../../parts/icon.js';
import { drawWay, type PlaceState, type WayPlace } from './draw-way.js';

const drawings = { passed: Check, triggered: Zap, skipped: Minus, failed: X, open: CircleSmall };

const words: Readonly<Record<PlaceState, string>> = {
  passed: 'passed',
  triggered: 'the scenario is triggered here',
  skipped: 'not reached',
  failed: 'the failure',
  open: 'depends on the change',
};

/** The way of a request, with the place at which the scenario is triggered. */
function Way({ scenario, phase }: { readonly scenario: ListedScenario; readonly phase: PhaseName }) {
  const { of, places } = drawWay(scenario, phase);
  return (
    <figure class="way">
      <figcaption>The way of a {of}</figcaption>
      <ol aria-label={`The way of a ${of}`}>
        {places.map((place) => (
          <Place key={place.id} {...place} />
        ))}
      </ol>
    </figure>
  );
}

function Place({ title, state, note, steps }: WayPlace) {
  return (
    <li class={`place ${state}`}>
      <span class="place-mark">
        <Icon of={drawings[state]} size={state === 'triggered' ? 16 : 13} />
      </span>
      <span class="place-text">
        <span class="place-title">{title}</span>
        <span class="unseen">: {words[state]}</span>
        {steps && (
          <span class="place-steps" aria-hidden="true">
            {steps.map((one) => (
              <span key={one.id} class={one.state} title={`${one.title}: ${words[one.state]}`} />
            ))}
          </span>
        )}
        {note && <code class="place-note">{note}</code>}
      </span>
    </li>
  );
}

const MOST = 200;

/** The values of a booking that switch the scenario on, without a plan and without code. */
function Triggers({ scenario, plan }: { readonly scenario: ListedScenario; readonly plan: PlanBody }) {
  const query = { goodFor: 'fails-on-purpose', limit: MOST } as const;
  const { data } = useCall(call('GET', 'facilities', { query }));
  const { id, contactName } = scenario;
  if (contactName === null) return null;
  const named = data?.facilities.filter((one) => one.scenario?.split(/[;,]/)[0]!.trim() === id) ?? [];
  return (
    <Card title="From a booking form" about="A booking with one of these values triggers it, without a plan.">
      <Facts
        of={[
          ['Last name of the contact', <CopyValue value={contactName} name="the name" />],
          ['Comment', <CopyValue value={`#teebox ${scenarioText(plan)}`} name="the comment" />],
          ...named.map(
            ({ facilityId, name, scenario: text }) =>
              [
                `Facility ${name}`,
                <>
                  <CopyValue value={String(facilityId)} name={`the id of ${name}`} />
                  {text !== id && <span class="hint"> {text}</span>}
                </>,
              ] as const,
          ),
        ]}
      />
    </Card>
  );
}

/** The chosen plan in other words: a command, a header, and code. */
function Elsewhere({ plan, command }: { readonly plan: PlanBody; readonly command: AdminCommand<unknown> }) {
  const text = scenarioText(plan);
  const only = planOnly(plan);
  const given = armArguments(plan);
  const without = only.length > 0 && (
    <p class="hint">
      Only a plan can have <code>{only.join(', ')}</code>.
    </p>
  );
  const header = commandLine(
    'the header',
    `Teebox-Scenario: ${text}`,
    'It is triggered by the request that carries the header.',
  );
  const serve = commandLine(
    'the command line',
    `teebox serve --scenario '${text}'`,
    'Every matching request triggers it, from the start of the server.',
  );
  return (
    <CodeCard
      tabs={[
        ['curl', commandLine('the curl command', curlOf(command))],
        ['Header', header, without],
        ['TypeScript', typescript(`sandbox.scenarios.arm(${given});`, `arm(${given})`)],
        ['Command line', serve, without],
      ]}
    />
  );
}

/** One scenario: where it applies, what holds afterwards, and every way to switch it on. */
export function ScenarioDetail({ scenario, armed }: { readonly scenario: ListedScenario; readonly armed: Armed }) {
  const [form, setForm] = useDraft(`plan ${scenario.id}`, emptyForm);
  const draft = draftOf(scenario, form);
  const command = call('POST', 'plans', { body: draft.plan });
  const phase = (form.phase || phasesOf(scenario)[0]!) as PhaseName;
  const change = (changes: Partial<typeof form>) => setForm({ ...form, ...changes });
  const plans = armed.plans?.filter((one) => one.scenario === scenario.id) ?? [];
  return (
    <article class="scenario" aria-label={scenario.title}>
      <div class="stack">
        <Intro scenario={scenario} phase={phase} choose={(next) => change({ phase: next })} />
        <ArmCard scenario={scenario} form={form} change={change} draft={draft} command={command} armed={armed} />
      </div>
      <div class="stack">
        {plans.length > 0 && (
          <Card title="Plans of this scenario" flush>
            <PlanList plans={plans} scenarios={[scenario]} reload={armed.reload} />
          </Card>
        )}
        <Elsewhere plan={draft.plan} command={command} />
        <Triggers scenario={scenario} plan={draft.plan} />
      </div>
    </article>
  );
}

interface PhaseProps {
  readonly scenario: ListedScenario;
  readonly phase: PhaseName;
  readonly choose: (phase: PhaseName) => void;
}

function Intro({ scenario, phase, choose }: PhaseProps) {
  const { id, title, means, status, source } = scenario;
  return (
    <section class="card" aria-label="What it does">
      <header class="card-head">
        <div>
          <h2 class="scenario-title">{title}</h2>
          <p class="about">{means}</p>
        </div>
        <div class="actions">
          <Badge tone="info">{kindOf(scenario)}</Badge>
          <CopyValue value={id} name="the id" />
        </div>
      </header>
      <div class="card-body">
        <Way scenario={scenario} phase={phase} />
        <PhaseSwitch scenario={scenario} phase={phase} choose={choose} />
        <div class="holds">
          <h3>What holds afterwards</h3>
          <p>{scenario.after[phase]}</p>
        </div>
        <Facts
          of={[
            ['Applies to', <Operations of={scenario.operations} />],
            ...(status === null ? [] : [['Status code', status] as const]),
            ['API specification', `${source.section}, ${source.item}`],
          ]}
        />
      </div>
    </section>
  );
}

/** Names of operations, with `*` in words. */
function Operations({ of }: { readonly of: readonly string[] }) {
  const names = of.map((one) => (one === '*' ? 'every operation with credentials' : one));
  return <>{names.join(', ')}</>;
}

function PhaseSwitch({ scenario, phase, choose }: PhaseProps) {
  const phases = phasesOf(scenario);
  if (phases.length === 1) return <p class="about">It is always triggered {phaseWords[phase].toLowerCase()}.</p>;
  return (
    <div class="segments" role="group" aria-label="Phase">
      {phases.map((one) => (
        <button key={one} type="button" aria-pressed={one === phase} onClick={() => choose(one)}>
          {phaseWords[one]}
        </button>
      ))}
    </div>
  );
}

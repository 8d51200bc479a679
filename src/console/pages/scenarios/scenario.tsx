import { useState } from 'preact/hooks';
import { call } from '../../data/api.js';
import { Badge } from '../../parts/badge.js';
import { CopyValue } from '../../parts/copy.js';
import { GuideLink } from '../../parts/guide-link.js';
import { Card, Facts } from '../../parts/page.js';
import { ArmCard } from './arm.js';
import { kindOf, type ListedScenario, type PhaseName, phasesOf } from './catalogue.js';
import { Elsewhere } from './elsewhere.js';
import type { Armed } from './live.js';
import { draftOf, emptyForm } from './plan-form.js';
import { PlanList } from './plans.js';
import { Triggers } from './triggers.js';
import { Way } from './way.js';

/** One scenario: where it strikes, what holds afterwards, and every way to switch it on. */
export function ScenarioDetail({ scenario, armed }: { readonly scenario: ListedScenario; readonly armed: Armed }) {
  const [form, setForm] = useState(emptyForm);
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

function Intro({
  scenario,
  phase,
  choose,
}: {
  readonly scenario: ListedScenario;
  readonly phase: PhaseName;
  readonly choose: (phase: PhaseName) => void;
}) {
  const { id, title, means, status, source, weight = 1 } = scenario;
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
            ['Strikes', <Operations of={scenario.operations} />],
            ...(status === null ? [] : [['Status code', status] as const]),
            ['Share in chaos', weight === 0 ? 'none, unless named' : `weight ${weight}`],
            ['In the document', `${source.section}, ${source.item}`],
            ['Guide', <GuideLink page="failures#scenarios">Failures on demand</GuideLink>],
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

const phaseWords: Readonly<Record<PhaseName, string>> = {
  'before-commit': 'Before the commit',
  'after-commit': 'After the commit',
};

function PhaseSwitch({
  scenario,
  phase,
  choose,
}: {
  readonly scenario: ListedScenario;
  readonly phase: PhaseName;
  readonly choose: (phase: PhaseName) => void;
}) {
  const phases = phasesOf(scenario);
  if (phases.length === 1) return <p class="about">It always strikes {phaseWords[phase].toLowerCase()}.</p>;
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

import { call } from '../../data/api.js';
import { hrefOf } from '../../data/route.js';
import { ActionButton } from '../../parts/action.js';
import { Badge, type Tone } from '../../parts/badge.js';
import { AsCurl } from '../../parts/curl.js';
import { Card, Empty } from '../../parts/page.js';
import { RelativeTime } from '../../parts/time.js';
import type { ListedPlan, ListedScenario } from './catalogue.js';
import type { Armed } from './live.js';

/** Every plan with what it did. */
export function PlansPanel({
  scenarios,
  armed: { plans, reload },
}: {
  readonly scenarios: readonly ListedScenario[];
  readonly armed: Armed;
}) {
  const actions = plans && plans.length > 0 && (
    <ActionButton command={call('DELETE', 'plans')} done="All plans were removed." then={reload}>
      Remove all
    </ActionButton>
  );
  return (
    <Card
      title="Armed plans"
      about="Plans that wait for requests, and those that were triggered."
      flush
      actions={actions}
    >
      <AsCurl of={call('GET', 'plans')} title="List the plans" />
      {plans?.length === 0 && (
        <Empty title="Nothing is armed" yet>
          Choose a scenario from the list and arm it. A request that carries a header or a magic value needs no plan.
        </Empty>
      )}
      {plans && plans.length > 0 && <PlanList plans={plans} scenarios={scenarios} reload={reload} />}
    </Card>
  );
}

interface PlanListProps {
  readonly plans: readonly ListedPlan[];
  readonly scenarios: readonly ListedScenario[];
  readonly reload: () => unknown;
}

/** Plans, the newest first. */
export function PlanList({ plans, scenarios, reload }: PlanListProps) {
  return (
    <ul class="plans">
      {plans.toReversed().map((plan) => (
        <PlanRow
          key={plan.id}
          plan={plan}
          title={scenarios.find(({ id }) => id === plan.scenario)?.title ?? plan.scenario}
          reload={reload}
        />
      ))}
    </ul>
  );
}

const tones: Readonly<Record<ListedPlan['state'], Tone>> = { armed: 'ok', spent: 'neutral', expired: 'warn' };

interface PlanRowProps {
  readonly plan: ListedPlan;
  readonly title: string;
  readonly reload: () => unknown;
}

function PlanRow({ plan, title, reload }: PlanRowProps) {
  const { id, scenario, state, matched, struck, near, expiresAt } = plan;
  const due = dueOf(plan);
  return (
    <li class="plan" aria-label={`${id}: ${scenario}`}>
      <div class="plan-head">
        <Badge tone={tones[state]}>{state}</Badge>
        <a href={hrefOf(['scenarios', scenario])}>{title}</a>
        <code class="plan-id">{id}</code>
        <ActionButton
          command={call('DELETE', 'plans/{id}', { path: { id } })}
          done={`${id} was removed.`}
          then={reload}
        >
          Remove
        </ActionButton>
      </div>
      <Conditions plan={plan} />
      {expiresAt && state === 'armed' && (
        <p class="hint">
          Expires <RelativeTime at={expiresAt} />
        </p>
      )}
      <dl class="counters">
        <Counter name="Matched" count={matched} />
        <Counter name="Triggered" count={struck} of={due} href={hrefOf(['requests'], { q: id })} />
        <Counter name="Near misses" count={near.count} />
      </dl>
      {near.reasons.length > 0 && <NearReasons of={near.reasons} />}
    </li>
  );
}

/** How often it will have been triggered in the end; undefined if there is no end. */
function dueOf({ times = 1, steps }: ListedPlan): number | undefined {
  if (steps) return steps.filter((step) => step === 'fail').length;
  return times === 'always' ? undefined : times;
}

const facts = ['id', 'scenario', 'matched', 'struck', 'state', 'near', 'expiresAt'];

function Conditions({ plan }: { readonly plan: ListedPlan }) {
  const options = Object.entries(plan).filter(([name]) => !facts.includes(name));
  if (options.length === 0) return <p class="hint">The next request that it applies to.</p>;
  return (
    <p class="conditions">
      {options.map(([name, value]) => (
        <code key={name}>{`${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`}</code>
      ))}
    </p>
  );
}

interface CounterProps {
  readonly name: string;
  readonly count: number;
  readonly of?: number | undefined;
  /** Where the requests are that were counted. */
  readonly href?: string;
}

function Counter({ name, count, of, href }: CounterProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd key={count}>
        {href && count > 0 ? <a href={href}>{count}</a> : count}
        {of !== undefined && <small> of {of}</small>}
      </dd>
    </div>
  );
}

/** Why requests that the scenario applies to did not match, newest first. */
function NearReasons({ of }: { readonly of: ListedPlan['near']['reasons'] }) {
  return (
    <ul class="near">
      {of.toReversed().map(({ why, count, last }) => (
        <li key={why}>
          <span>{why.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</span>
          <span class="near-last">
            {count > 1 && `${count} times, last `}
            <a href={hrefOf(['requests', last])}>{last}</a>
          </span>
        </li>
      ))}
    </ul>
  );
}

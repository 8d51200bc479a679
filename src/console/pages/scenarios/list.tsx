import { Dices, ListChecks } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { hrefOf, queryField } from '../../data/route.js';
import { Badge } from '../../parts/badge.js';
import { TextField } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { Empty } from '../../parts/page.js';
import { grouped, type ListedScenario } from './catalogue.js';
import type { Armed } from './live.js';

interface ScenarioListProps {
  readonly scenarios: readonly ListedScenario[];
  readonly armed: Armed;
  readonly open: string;
  readonly filter: string;
}

/** What is on now, and all scenarios by kind. */
export function ScenarioList({ scenarios, armed, open, filter }: ScenarioListProps) {
  const groups = useMemo(() => grouped(scenarios, filter), [scenarios, filter]);
  const countOf = (id: string) =>
    armed.plans?.filter((one) => one.scenario === id && one.state === 'armed').length ?? 0;
  return (
    <nav class="scenario-list" aria-label="Scenarios" onKeyDown={step}>
      <NowLinks armed={armed} open={open} filter={filter} />
      <TextField label="Filter" type="search" {...queryField('filter')} placeholder="payment, 503, timeout…" />
      {groups.length === 0 && <Empty title="No scenario matches.">Remove words from the filter.</Empty>}
      {groups.map(({ title, scenarios: members }) => (
        <div class="scenario-group" key={title}>
          <h2 class="nav-title">{title}</h2>
          <ul>
            {members.map(({ id, title: name }) => (
              <li key={id}>
                <ListLink id={id} href={hrefOf(['scenarios', id], { filter })} open={open}>
                  <span class="scenario-name">{name}</span>
                  <code>{id}</code>
                  {countOf(id) > 0 && <Badge tone="accent">{countOf(id)} armed</Badge>}
                </ListLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function NowLinks({ armed, open, filter }: { readonly armed: Armed; readonly open: string; readonly filter: string }) {
  const count = armed.plans?.filter(({ state }) => state === 'armed').length;
  const entries = [
    ['plans', 'Armed plans', ListChecks, count],
    ['chaos', 'Chaos', Dices, armed.chaos ? 'on' : undefined],
  ] as const;
  return (
    <div class="scenario-group now">
      <h2 class="nav-title">Now</h2>
      <ul>
        {entries.map(([view, title, icon, state]) => (
          <li key={view}>
            <ListLink
              id={view}
              href={hrefOf(['scenarios'], { view, filter })}
              open={open === '' && view === 'plans' ? 'plans' : open}
            >
              <Icon of={icon} size={15} />
              <span class="scenario-name">{title}</span>
              <Badge tone={state ? 'accent' : 'neutral'}>{state ?? 'off'}</Badge>
            </ListLink>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface ListLinkProps {
  readonly id: string;
  readonly href: string;
  readonly open: string;
  readonly children: ComponentChildren;
}

function ListLink({ id, href, open, children }: ListLinkProps) {
  return (
    <a id={`scenario-link-${id}`} href={href} aria-current={id === open ? 'true' : undefined}>
      {children}
    </a>
  );
}

/** Arrow keys go through the list. */
function step(event: KeyboardEvent): void {
  const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (move === undefined) return;
  const stops = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('a, input')];
  const next = stops[stops.indexOf(document.activeElement as HTMLElement) + move];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

import { Check, CircleSmall, Minus, X, Zap } from 'lucide';
import { Icon } from '../../parts/icon.js';
import type { ListedScenario, PhaseName } from './catalogue.js';
import { drawWay, type PlaceState, type WayPlace } from './draw-way.js';

const drawings = { passed: Check, struck: Zap, skipped: Minus, failed: X, open: CircleSmall };

const words: Readonly<Record<PlaceState, string>> = {
  passed: 'passed',
  struck: 'the scenario strikes here',
  skipped: 'not reached',
  failed: 'the failure',
  open: 'depends on the change',
};

/** The way of a request, with the place at which the scenario strikes. */
export function Way({ scenario, phase }: { readonly scenario: ListedScenario; readonly phase: PhaseName }) {
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
        <Icon of={drawings[state]} size={state === 'struck' ? 16 : 13} />
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

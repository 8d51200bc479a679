import { call } from '../../data/api.js';
import { useCall } from '../../data/load.js';
import { CopyValue } from '../../parts/copy.js';
import { Card, Facts } from '../../parts/page.js';
import type { ListedScenario } from './catalogue.js';
import type { PlanBody } from './plan-form.js';
import { scenarioText } from './spelling.js';

const MOST = 200;

/** The values of a booking that switch the scenario on, without a plan and without code. */
export function Triggers({ scenario, plan }: { readonly scenario: ListedScenario; readonly plan: PlanBody }) {
  const query = { goodFor: 'fails-on-purpose', limit: MOST } as const;
  const { data } = useCall(call('GET', 'facilities', { query }));
  const { id, contactName } = scenario;
  if (contactName === null) return null;
  const named = data?.facilities.filter((one) => one.scenario?.split(/[;,]/)[0]!.trim() === id) ?? [];
  return (
    <Card title="From a booking form" about="A booking with one of these values is struck, without a plan.">
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

import { Zap } from 'lucide';
import { useState } from 'preact/hooks';
import { type AdminType, call } from '../../data/api.js';
import { useCall } from '../../data/load.js';
import { ActionButton } from '../../parts/action.js';
import { Dialog } from '../../parts/dialog.js';
import { CheckField, SelectField } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { type Condition, conditionsOf, likeness, planOf } from './plan-like.js';
import { hasFailed } from '../../data/request-log.js';
import { triggeredScenario } from './words.js';

type RequestView = AdminType<'RequestView'>;
type Scenario = AdminType<'Scenario'>;

/** Arms a plan that lets requests like this one fail as it did; not offered if no scenario answers as it was answered. */
export function FailAgain({ view }: { readonly view: RequestView }) {
  const [open, setOpen] = useState(false);
  const { data } = useCall(call('GET', 'scenarios'));
  const fits = data?.scenarios.filter((one) => isLike(one, view)) ?? [];
  if (fits.length === 0) return null;
  return (
    <>
      <button type="button" class="button" onClick={() => setOpen(true)}>
        <Icon of={Zap} size={14} />
        Fail again
      </button>
      {open && <FailDialog view={view} scenarios={fits} close={() => setOpen(false)} />}
    </>
  );
}

function isLike({ id, status, appliesTo }: Scenario, view: RequestView): boolean {
  if (id === triggeredScenario(view)) return true;
  return (
    triggeredScenario(view) === undefined &&
    hasFailed(view) &&
    status === view.status &&
    appliesTo.includes(view.operation ?? '')
  );
}

interface FailDialogProps {
  readonly view: RequestView;
  readonly scenarios: readonly Scenario[];
  readonly close: () => void;
}

function FailDialog({ view, scenarios, close }: FailDialogProps) {
  const [best] = scenarios.toSorted((a, b) => likeness(b, view) - likeness(a, view));
  const [scenario, setScenario] = useState(best!.id);
  const [times, setTimes] = useState('1');
  const [conditions, setConditions] = useState(conditionsOf(view));
  const set = (index: number, on: boolean) => setConditions(conditions.with(index, { ...conditions[index]!, on }));
  const body = planOf(view, scenario, conditions, times);
  return (
    <Dialog title={`Fail again like ${view.id}`} close={close}>
      <form class="fail-again" onSubmit={(event) => event.preventDefault()}>
        <SelectField
          label="Scenario"
          value={scenario}
          change={setScenario}
          options={scenarios.map(({ id, title }) => [id, title] as const)}
        />
        <fieldset>
          <legend>For requests with</legend>
          {conditions.map((condition, index) => (
            <CheckField
              key={condition.name}
              label={labelOf(condition)}
              checked={condition.on}
              change={(on) => set(index, on)}
            />
          ))}
        </fieldset>
        <SelectField
          label="How often"
          value={times}
          change={setTimes}
          options={[
            ['1', 'Once'],
            ['always', 'Every time'],
          ]}
        />
        <div class="dialog-actions">
          <ActionButton
            command={call('POST', 'plans', { body })}
            done={({ id }) => `Armed as ${id}. Send the request again to see it.`}
            then={close}
            kind="primary"
          >
            Arm
          </ActionButton>
        </div>
      </form>
    </Dialog>
  );
}

function labelOf({ name, value }: Condition) {
  return (
    <>
      {name} <code>{String(value)}</code>
    </>
  );
}

import { Zap } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type AdminCommand, call, perform, reasonOf } from '../../data/api.js';
import { useCall } from '../../data/load.js';
import { toast } from '../../data/toasts.js';
import { AsCurl } from '../../parts/curl.js';
import { SelectField, TextField } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { Card, Failure } from '../../parts/page.js';
import type { ListedPlan, ListedScenario } from './catalogue.js';
import type { Armed } from './live.js';
import { type PlanDraft, type PlanForm } from './plan-form.js';

interface FormProps {
  readonly scenario: ListedScenario;
  readonly form: PlanForm;
  readonly change: (changes: Partial<PlanForm>) => void;
  readonly draft: PlanDraft;
}

/** Arms a plan with the chosen options. */
export function ArmCard(props: FormProps & { readonly command: AdminCommand<ListedPlan>; readonly armed: Armed }) {
  const { draft, command, armed } = props;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const wrong = Object.keys(draft.faults).length > 0;
  const submit = async (event: Event) => {
    event.preventDefault();
    if (wrong || busy) return;
    setBusy(true);
    try {
      const { id } = await perform(command);
      setError(undefined);
      toast(`Armed as ${id}.`);
      await armed.reload();
    } catch (reason) {
      setError(reasonOf(reason));
    }
    setBusy(false);
  };
  return (
    <Card
      title="Arm it"
      about="The plan is triggered by requests that match all conditions. An empty field is no condition."
    >
      <form class="arm-form" noValidate onSubmit={submit}>
        <MainFields {...props} />
        <details>
          <summary>More conditions</summary>
          <MoreFields {...props} />
        </details>
        {error && <Failure reason={error} />}
        <div class="actions">
          <button type="submit" class="button primary" disabled={wrong || busy}>
            <Icon of={Zap} size={14} /> Arm
          </button>
          <AsCurl of={command} title="Arm it" />
        </div>
      </form>
    </Card>
  );
}

const often = [
  ['once', 'Once'],
  ['times', 'Several times'],
  ['always', 'Every time'],
  ['steps', 'By a script'],
] as const;

/** What a field of the form shows, and what it does with what is typed. */
const fieldOf = (form: PlanForm, change: FormProps['change']) => (name: keyof PlanForm) => ({
  value: form[name],
  change: (value: string) => change({ [name]: value }),
});

function MainFields({ scenario, form, change, draft: { faults } }: FormProps) {
  const channels = useCall(call('GET', 'channels')).data?.channels ?? [];
  const field = fieldOf(form, change);
  const names = channels.map(({ name }) => [name, name] as const);
  return (
    <div class="arm-fields">
      <SelectField label="How often" {...field('often')} options={often} />
      <OftenField often={form.often} field={field} fault={faults.steps} />
      <SelectField label="Operation" {...field('operation')} options={operationsOf(scenario)} />
      <SelectField label="Channel" {...field('channel')} options={[['', 'Any'], ...names]} />
      <TextField label="Facility" type="number" {...field('facilityId')} placeholder="1001" />
      {scenario.perBooking && (
        <TextField label="Booking of a group" type="number" {...field('item')} placeholder="1 is the first" />
      )}
      {form.often !== 'steps' && (
        <TextField
          label="Let pass first"
          type="number"
          {...field('after')}
          placeholder="0"
          hint="Matching requests that do not trigger it"
        />
      )}
    </div>
  );
}

interface OftenProps {
  readonly often: string;
  readonly field: ReturnType<typeof fieldOf>;
  readonly fault: string | undefined;
}

/** How many times, or by which script. */
function OftenField({ often, field, fault }: OftenProps) {
  if (often === 'times') {
    return <TextField label="Times" type="number" {...field('times')} placeholder="2" />;
  }
  if (often !== 'steps') return null;
  return <TextField label="Script" {...field('steps')} placeholder="fail, fail, ok" hint={hintOf(fault)} />;
}

function MoreFields({ scenario, form, change, draft: { faults } }: FormProps) {
  const field = fieldOf(form, change);
  return (
    <div class="arm-fields">
      <TextField
        label="Delay"
        {...field('delay')}
        placeholder={usualDelay(scenario)}
        hint={hintOf(faults.delay, 'A duration such as 2s, uniform(100ms,900ms) or lognormal(400ms,0.5)')}
      />
      <TextField
        label="Probability"
        type="number"
        {...field('probability')}
        placeholder="1"
        hint="From 0 to 1, drawn from the seed"
      />
      <TextField
        label="Expires after"
        {...field('ttl')}
        placeholder="never"
        hint={hintOf(faults.ttl, 'On the clock of the sandbox, such as 10m or 2d')}
      />
      <TextField
        label="Match"
        {...field('match')}
        placeholder='{"players":2}'
        hint={hintOf(faults.match, 'Fields of the body, or parameters as they were sent')}
      />
    </div>
  );
}

function hintOf(fault: string | undefined, usual = ''): ComponentChildren {
  return fault ? <span class="fault">{fault}</span> : usual;
}

/** Operations by name, for every version, and one by one. */
function operationsOf({ appliesTo }: ListedScenario): (readonly [value: string, title: string])[] {
  const names = appliesTo.map((id) => id.replace(/^v\d+\./, '').replace(/\.post$/, ''));
  const shared = [...new Set(names.filter((name, at) => names.indexOf(name) !== at))].sort();
  return [
    ['', 'Any that it applies to'],
    ...shared.map((name) => [name, `${name}, every version`] as const),
    ...appliesTo.map((id) => [id, id] as const),
  ];
}

function usualDelay({ effect }: ListedScenario): string {
  return ('delay' in effect && effect.delay) || '0s';
}

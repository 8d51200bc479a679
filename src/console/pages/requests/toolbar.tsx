import { Pause, Play } from 'lucide';
import { call } from '../../data/api.js';
import { liveState } from '../../data/live.js';
import { queryField } from '../../data/route.js';
import type { RequestRow } from '../../data/request-log.js';
import { ActionButton } from '../../parts/action.js';
import { SelectField, TextField } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { ExportMenu } from './export.js';
import type { choicesOf, RequestFilters } from './filter.js';

const statuses = ['2xx', '4xx', '5xx', 'none'] as const;

interface ToolbarProps {
  readonly choices: ReturnType<typeof choicesOf>;
  readonly paused: boolean;
  readonly pause: () => void;
  /** What the filter shows, newest first. */
  readonly shown: readonly RequestRow[];
  /** How many came since the pause. */
  readonly missed: number;
  readonly reload: () => unknown;
}

/** Filters, and what is done with the whole journal. */
export function Toolbar(props: ToolbarProps) {
  const { choices } = props;
  return (
    <div class="toolbar">
      <div class="filters" role="search" aria-label="Filter the requests">
        <TextField label="Text" type="search" {...queryField('q')} placeholder="refused, path, rule" />
        <Choice name="status" label="Status" of={statuses} />
        <Choice name="operation" label="Operation" of={choices.operation} />
        <Choice name="version" label="Version" of={choices.version} />
        <Choice name="channel" label="Channel" of={choices.channel} />
        <Choice name="scenario" label="Scenario" of={['any', ...choices.scenario]} />
      </div>
      <WholeJournal {...props} />
    </div>
  );
}

const words = { off: 'Not connected', connecting: 'Connecting…', live: 'Live', lost: 'Reconnecting…', ended: 'Ended' };

function WholeJournal({ paused, pause, shown, missed, reload }: ToolbarProps) {
  const state = liveState.value;
  const count = `${shown.length.toLocaleString('en')} ${shown.length === 1 ? 'request' : 'requests'}`;
  return (
    <div class="actions">
      <span class="live-line">
        <span class={`dot ${paused ? 'frozen' : state}`} aria-hidden="true" />
        {paused ? `Paused, ${missed} new` : words[state]} · {count}
      </span>
      <button type="button" class="button" onClick={pause}>
        <Icon of={paused ? Play : Pause} size={14} />
        {paused ? 'Resume' : 'Pause'}
      </button>
      <ExportMenu
        rows={shown.toReversed()}
        what={shown.length === 1 ? '1 request' : `these ${shown.length} requests`}
      />
      <ActionButton command={call('DELETE', 'requests')} done="The journal was cleared." then={reload}>
        Clear
      </ActionButton>
    </div>
  );
}

interface ChoiceProps {
  readonly name: Exclude<keyof RequestFilters, 'q'>;
  readonly label: string;
  readonly of: readonly string[];
}

function Choice({ name, label, of }: ChoiceProps) {
  const { value, change } = queryField(name);
  const options = value === '' || of.includes(value) ? of : [...of, value];
  return (
    <SelectField
      label={label}
      value={value}
      change={change}
      options={[['', 'All'], ...options.map((one) => [one, one === 'none' ? 'no response' : one] as const)]}
    />
  );
}

import { Download, Pause, Play } from 'lucide';
import { call, openAdmin, reasonOf } from '../../data/api.js';
import { liveState } from '../../data/journal.js';
import { setQuery } from '../../data/route.js';
import { toast } from '../../data/toasts.js';
import { ActionButton } from '../../parts/action.js';
import { CopyCurl } from '../../parts/copy.js';
import { SelectField, TextField } from '../../parts/field.js';
import { CopyFileCurl, saveFile } from '../../parts/files.js';
import { Icon } from '../../parts/icon.js';
import type { choicesOf, RequestFilters } from './filter.js';

const CAPSULE = 'teebox-capsule.json';
const statuses = ['2xx', '4xx', '5xx', 'none'] as const;

interface ToolbarProps {
  readonly filters: RequestFilters;
  readonly choices: ReturnType<typeof choicesOf>;
  readonly paused: boolean;
  readonly pause: () => void;
  readonly shown: number;
  /** How many came since the pause. */
  readonly missed: number;
  readonly reload: () => unknown;
}

/** Filters, and what is done with the whole journal. */
export function Toolbar(props: ToolbarProps) {
  const { filters, choices } = props;
  const search = (q: string) => setQuery({ q });
  return (
    <div class="toolbar">
      <div class="filters" role="search" aria-label="Filter the requests">
        <TextField label="Text" type="search" value={filters.q} change={search} placeholder="Path, rule, id" />
        <Choice name="status" label="Status" filters={filters} of={statuses} />
        <Choice name="operation" label="Operation" filters={filters} of={choices.operation} />
        <Choice name="version" label="Version" filters={filters} of={choices.version} />
        <Choice name="channel" label="Channel" filters={filters} of={choices.channel} />
        <Choice name="scenario" label="Scenario" filters={filters} of={['any', ...choices.scenario]} />
      </div>
      <WholeJournal {...props} />
    </div>
  );
}

function WholeJournal({ paused, pause, shown, missed, reload }: ToolbarProps) {
  return (
    <div class="actions">
      <Live paused={paused} shown={shown} missed={missed} />
      <button type="button" class="button" onClick={pause}>
        <Icon of={paused ? Play : Pause} size={14} />
        {paused ? 'Go on' : 'Pause'}
      </button>
      <span class="action">
        <button type="button" class="button" onClick={() => void download('requests?format=har', 'teebox.har')}>
          <Icon of={Download} size={14} />
          HAR
        </button>
        <CopyCurl of={call('GET', 'requests', { query: { format: 'har' } })} bare />
      </span>
      <CapsuleButton />
      <ActionButton command={call('DELETE', 'requests')} done="The journal was cleared." then={reload}>
        Clear
      </ActionButton>
    </div>
  );
}

/** The requests with everything that decided their responses, for `teebox replay`. */
function CapsuleButton() {
  return (
    <span class="action">
      <button
        type="button"
        class="button"
        title="The requests with everything that decided their responses, without secrets: teebox replay plays it"
        onClick={() => void download('capsule', CAPSULE)}
      >
        <Icon of={Download} size={14} />
        Download capsule
      </button>
      <CopyFileCurl of={call('GET', 'capsule')} file={CAPSULE} />
    </span>
  );
}

function Choice({
  name,
  label,
  filters,
  of,
}: {
  readonly name: Exclude<keyof RequestFilters, 'q'>;
  readonly label: string;
  readonly filters: RequestFilters;
  readonly of: readonly string[];
}) {
  const value = filters[name];
  const options = value === '' || of.includes(value) ? of : [...of, value];
  return (
    <SelectField
      label={label}
      value={value}
      change={(chosen) => setQuery({ [name]: chosen })}
      options={[['', 'All'], ...options.map((one) => [one, one === 'none' ? 'no response' : one] as const)]}
    />
  );
}

const words = { off: 'Not connected', connecting: 'Connecting…', live: 'Live', lost: 'Reconnecting…', ended: 'Ended' };

function Live({
  paused,
  shown,
  missed,
}: {
  readonly paused: boolean;
  readonly shown: number;
  readonly missed: number;
}) {
  const state = liveState.value;
  const count = `${shown.toLocaleString('en')} ${shown === 1 ? 'request' : 'requests'}`;
  return (
    <span class="live-line">
      <span class={`dot ${paused ? 'frozen' : state}`} aria-hidden="true" />
      {paused ? `Paused, ${missed} new` : words[state]} · {count}
    </span>
  );
}

/** Saves what a path of the admin API answers. */
async function download(path: string, file: string): Promise<void> {
  try {
    const response = await openAdmin(path);
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}.`);
    saveFile(file, await response.blob());
  } catch (error) {
    toast(reasonOf(error), 'bad');
  }
}

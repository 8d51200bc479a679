import { parsedJson } from '../../../common/index.js';
import { call, type AdminType } from '../../data/api.js';
import { readClock } from '../../data/clock.js';
import { toast } from '../../data/toasts.js';
import { act, AskingButton } from '../../parts/action.js';
import { AsCurl } from '../../parts/curl.js';
import { FileButton } from '../../parts/files.js';
import { Card, PageHead } from '../../parts/page.js';
import { DownloadButton, Snapshots } from './snapshots.js';
import { OwnWorld } from './own-world.js';

/** The state of the sandbox: snapshots, files and a new start. */
export default function StatePage() {
  return (
    <>
      <PageHead
        title="State"
        about="Bookings, tokens, plans, the clock and the dialect as one state. Keep it, go back to it, hand it on, or start anew."
      />
      <div class="stack">
        <Snapshots />
        <StateFile />
        <OwnWorld />
        <Reset />
      </div>
    </>
  );
}

const FILE = 'teebox-state.json';

/** The whole state as a file. */
function StateFile() {
  const take = async (name: string, text: string) => {
    const body = parsedJson(text) as AdminType<'State'> | undefined;
    if (body === undefined) return toast(`${name} is not JSON. Import a file that was downloaded here.`, 'bad');
    if (await act(call('PUT', 'state', { body }), `The state of ${name} is restored.`)) await readClock();
  };
  return (
    <Card
      title="The state as a file"
      about="It has bookings, tokens and passwords that work in this sandbox, and no journal, callbacks or inbox. It fits a world of the same seed and size."
    >
      <div class="state-files">
        <DownloadButton command={call('GET', 'state')} file={FILE}>
          Download the state
        </DownloadButton>
        <FileButton label="Import a state" accept=".json,application/json" take={take} />
        <AsCurl of={{ method: 'PUT', path: 'state' }} title="Import a state" file={FILE} />
      </div>
    </Card>
  );
}

/** Back to the baseline, after a question. */
function Reset() {
  return (
    <Card
      title="Start anew"
      about="A reset restores the initial bookings, tokens, plans, clock and dialect card, and empties the journal, the callbacks and the inbox. Snapshots stay."
    >
      <div class="actions">
        <AskingButton
          label="Reset the world"
          title="Reset the world?"
          verb="Reset"
          command={call('POST', 'reset')}
          done="The world is as it was at the start."
          then={readClock}
        >
          Everything since the start is lost, unless a snapshot has it.
        </AskingButton>
      </div>
    </Card>
  );
}

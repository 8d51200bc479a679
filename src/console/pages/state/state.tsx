import { useState } from 'preact/hooks';
import { call, perform, reasonOf, type AdminType } from '../../data/api.js';
import { readClock } from '../../data/clock.js';
import { toast } from '../../data/toasts.js';
import { ActionButton, act } from '../../parts/action.js';
import { CopyCurl } from '../../parts/copy.js';
import { Dialog } from '../../parts/dialog.js';
import { CopyFileCurl, FileButton, saveFile } from '../../parts/files.js';
import { Card, PageHead } from '../../parts/page.js';
import { Snapshots } from './snapshots.js';

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
        <Reset />
      </div>
    </>
  );
}

const FILE = 'teebox-state.json';
const exportCall = call('GET', 'state');

/** The whole state as a file. */
function StateFile() {
  const save = async () => {
    try {
      saveFile(FILE, JSON.stringify(await perform(exportCall)));
    } catch (error) {
      toast(reasonOf(error), 'bad');
    }
  };
  const take = async (name: string, text: string) => {
    let body: AdminType<'State'>;
    try {
      body = JSON.parse(text) as AdminType<'State'>;
    } catch {
      return toast(`${name} is not JSON. Import a file that was downloaded here.`, 'bad');
    }
    if (await act(call('PUT', 'state', { body }), `The state of ${name} is restored.`)) await readClock();
  };
  return (
    <Card
      title="The state as a file"
      about="It has bookings, tokens and passwords that work in this sandbox, and no journal, callbacks or inbox. It fits a world of the same seed and size."
    >
      <div class="state-files">
        <span class="action">
          <button type="button" class="button" onClick={() => void save()}>
            Download the state
          </button>
          <CopyFileCurl of={exportCall} file={FILE} />
        </span>
        <span class="action">
          <FileButton label="Import a state" accept=".json,application/json" take={take} />
          <CopyFileCurl of={{ method: 'PUT', path: 'state' }} file={FILE} />
        </span>
      </div>
    </Card>
  );
}

/** Back to the baseline, after a question. */
function Reset() {
  const [asking, setAsking] = useState(false);
  const command = call('POST', 'reset');
  const close = () => setAsking(false);
  const done = async () => {
    close();
    await readClock();
  };
  return (
    <Card
      title="Start anew"
      about="A reset restores the initial bookings, tokens, plans, clock and dialect card, and empties the journal, the callbacks and the inbox. Snapshots stay."
    >
      <div class="action">
        <button type="button" class="button danger" onClick={() => setAsking(true)}>
          Reset the world
        </button>
        <CopyCurl of={command} />
      </div>
      {asking && (
        <Dialog title="Reset the world?" close={close}>
          <p>Everything since the start is lost, unless a snapshot has it.</p>
          <div class="dialog-actions">
            <button type="button" class="button" onClick={close}>
              Cancel
            </button>
            <ActionButton command={command} done="The world is as it was at the start." kind="danger" then={done}>
              Reset
            </ActionButton>
          </div>
        </Dialog>
      )}
    </Card>
  );
}

import { useState } from 'preact/hooks';
import { counted, isObject, parsedJson } from '../../../common/index.js';
import { type AdminType, call } from '../../data/api.js';
import { readClock } from '../../data/clock.js';
import { useLive } from '../../data/journal.js';
import { toast } from '../../data/toasts.js';
import { Question } from '../../parts/action.js';
import { AsCurl } from '../../parts/curl.js';
import { dropOnto, FileButton, saveFile } from '../../parts/files.js';
import { JsonView } from '../../parts/json-view.js';
import { Card, Failure } from '../../parts/page.js';

const FILE = 'world.json';
/** Characters of a file that is shown; that of a whole deployment has millions. */
const MOST_SHOWN = 200_000;

/** A file that was chosen, and is not in force yet. */
interface Chosen {
  readonly name: string;
  readonly body: AdminType<'WorldFile'>;
}

/** The world file in force, and another one by choice or by drop. */
export function OwnWorld() {
  const command = call('GET', 'world');
  const { data, error, reload } = useLive(command);
  const [chosen, setChosen] = useState<Chosen>();
  const take = (name: string, text: string) => {
    const body = parsedJson(text);
    if (isObject(body)) return setChosen({ name, body });
    return toast(`${name} is not JSON. Write the world file as JSON, or start with \`--world ${name}\`.`, 'bad');
  };
  const drop = dropOnto(async ([file]) => file && take(file.name, await file.text()));
  const then = async () => {
    await reload();
    await readClock();
  };
  return (
    <div {...drop}>
      <Card
        title="The world"
        about="Which facilities, courses and prices there are. Choose a world file as JSON, or drop it here, and the sandbox starts anew with it."
        actions={<AsCurl of={command} title="Show the world file" />}
      >
        {error && <Failure reason={error} retry={reload} />}
        {data && <Shown of={data} />}
        <div class="state-files">
          <FileButton label="Take another world" accept=".json,application/json" take={take} />
          <AsCurl of={{ method: 'PUT', path: 'world' }} title="Take another world" file={FILE} />
        </div>
      </Card>
      {chosen && <Confirm chosen={chosen} close={() => setChosen(undefined)} then={then} />}
    </div>
  );
}

function Shown({ of: { seed, facilities, world } }: { readonly of: AdminType<'WorldShown'> }) {
  const size = counted(facilities, 'facility', 'facilities');
  if (!world) return <p>{`The world is generated from the seed ${seed}, with ${size}.`}</p>;
  const text = JSON.stringify(world, null, 2);
  const save = () => saveFile(FILE, `${text}\n`);
  return (
    <>
      <p>
        {`The world is of a file, with ${size}. Passwords and tokens are left out here. `}
        <button type="button" class="button" onClick={save}>
          Download the world file
        </button>
      </p>
      {text.length <= MOST_SHOWN && <JsonView value={world} name="World file" />}
    </>
  );
}

interface ConfirmProps {
  readonly chosen: Chosen;
  readonly close: () => void;
  readonly then: () => unknown;
}

function Confirm({ chosen: { name, body }, close, then }: ConfirmProps) {
  return (
    <Question
      title={`Start anew with ${name}?`}
      verb="Start anew"
      command={call('PUT', 'world', { query: { reset: 'true' }, body })}
      done={({ facilities }) => `The world is that of ${name}, with ${counted(facilities, 'facility', 'facilities')}.`}
      close={close}
      then={then}
    >
      Everything since the start is lost, the bookings of clients too. Snapshots of the world before can no longer be
      restored.
    </Question>
  );
}

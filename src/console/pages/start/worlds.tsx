import { useState } from 'preact/hooks';
import { call, type AdminType } from '../../data/api.js';
import { consoleUrl } from '../../data/base.js';
import { useCall } from '../../data/load.js';
import { ActionButton } from '../../parts/action.js';
import { CopyCurl } from '../../parts/copy.js';
import { TextField } from '../../parts/field.js';
import { Card, Empty, Failure } from '../../parts/page.js';
import { type Column, Table } from '../../parts/table.js';

type WorldRow = AdminType<'WorldList'>['worlds'][number];

const columnsWith = (reload: () => unknown): readonly Column<WorldRow>[] => [
  { title: 'World', cell: ({ name }) => <a href={consoleUrl(name)}>{name}</a> },
  {
    title: 'Last used',
    cell: ({ lastUsed }) => <time dateTime={lastUsed}>{lastUsed.slice(0, 19).replace('T', ' ')}</time>,
  },
  {
    title: 'Actions',
    cell: ({ name }) => (
      <ActionButton
        command={call('DELETE', 'worlds/{name}', { path: { name } })}
        done={`The world ${name} was deleted.`}
        then={reload}
      >
        Delete
      </ActionButton>
    ),
  },
];

/** The worlds beside the main one. */
export function Worlds() {
  const command = call('GET', 'worlds');
  const { data, error, reload } = useCall(command);
  const worlds = data?.worlds ?? [];
  return (
    <Card
      title="Worlds"
      about="Each has its own state, clock and journal. Its first request with valid credentials creates it."
      actions={<CopyCurl of={command} />}
    >
      {error && <Failure reason={error} retry={reload} />}
      {data && worlds.length === 0 && (
        <Empty title="Only the main world">Open another one below, or send a request to its base URL.</Empty>
      )}
      {worlds.length > 0 && (
        <Table label="Worlds" columns={columnsWith(reload)} rows={worlds} keyOf={(one) => one.name} />
      )}
      <OpenWorld />
    </Card>
  );
}

function OpenWorld() {
  const [name, setName] = useState('');
  const fits = /^[A-Za-z0-9][\w.-]{0,63}$/.test(name);
  const open = (event: Event) => {
    event.preventDefault();
    if (fits) location.assign(consoleUrl(name));
  };
  return (
    <form class="inline-form" onSubmit={open}>
      <TextField label="Open a world" value={name} change={setName} placeholder="run-7" />
      <button type="submit" class="button" disabled={!fits}>
        Open
      </button>
    </form>
  );
}

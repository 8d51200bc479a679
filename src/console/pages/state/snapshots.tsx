import { useState } from 'preact/hooks';
import { type AdminCommand, type AdminType, call, perform } from '../../data/api.js';
import { readClock } from '../../data/clock.js';
import { useLive } from '../../data/journal.js';
import { attempt } from '../../data/toasts.js';
import { act, ActionButton, AskingButton } from '../../parts/action.js';
import { AsCurl } from '../../parts/curl.js';
import { TextField } from '../../parts/field.js';
import { saveFile } from '../../parts/files.js';
import { Card, Empty, Failure } from '../../parts/page.js';
import { type Column, Table } from '../../parts/table.js';
import { UtcTime } from '../../parts/time.js';

type SnapshotRow = AdminType<'SnapshotList'>['snapshots'][number];

/** The named snapshots, newest first. */
export function Snapshots() {
  const command = call('GET', 'snapshots');
  const { data, error, reload } = useLive(command);
  const rows = (data?.snapshots ?? []).toReversed();
  const names = rows.map(({ name }) => name);
  const clear = call('DELETE', 'snapshots');
  return (
    <Card
      title="Snapshots"
      about="Named states in the memory of the server, at most 50. They survive a reset and a restore, and not a restart."
      actions={
        <>
          {rows.length > 1 && (
            <ActionButton command={clear} done="All snapshots were deleted." then={reload}>
              Delete all
            </ActionButton>
          )}
          <AsCurl of={command} title="List the snapshots" />
        </>
      }
    >
      <TakeForm names={names} reload={reload} />
      {error && <Failure reason={error} retry={reload} />}
      {data && rows.length === 0 && (
        <Empty title="No snapshots yet" yet>
          Take one before a test, and restore it afterwards.
        </Empty>
      )}
      {rows.length > 0 && (
        <div class="state-table">
          <Table label="Snapshots" columns={columnsWith(reload)} rows={rows} keyOf={({ name }) => name} />
        </div>
      )}
    </Card>
  );
}

const pathOf = (name: string) => ({ path: { name } });

const columnsWith = (reload: () => unknown): readonly Column<SnapshotRow>[] => [
  { title: 'Snapshot', cell: ({ name }) => <strong>{name}</strong> },
  // A reset moves the clock of the sandbox back, so that how long ago this was is not known.
  { title: 'Clock of the state', cell: ({ takenAt }) => <UtcTime at={takenAt} seconds /> },
  { title: 'Bookings', numeric: true, cell: ({ bookings }) => bookings },
  {
    title: 'Actions',
    cell: ({ name }) => (
      <div class="state-actions">
        <AskingButton
          label="Restore"
          title={`Restore ${name}?`}
          verb="Restore"
          command={call('POST', 'snapshots/{name}/restore', pathOf(name))}
          done={`The world is as ${name} has it.`}
          then={readClock}
        >
          Everything since it was taken is lost, unless another snapshot has it.
        </AskingButton>
        <DownloadButton command={call('GET', 'snapshots/{name}', pathOf(name))} file={`${name}.json`}>
          Download
        </DownloadButton>
        <ActionButton
          command={call('DELETE', 'snapshots/{name}', pathOf(name))}
          done={`${name} was deleted.`}
          then={reload}
        >
          Delete
        </ActionButton>
      </div>
    ),
  },
];

interface DownloadButtonProps {
  readonly command: AdminCommand<unknown>;
  readonly file: string;
  readonly children: string;
}

/** A button that saves what a call returns as a file. */
export function DownloadButton({ command, file, children }: DownloadButtonProps) {
  const save = () => attempt(async () => saveFile(file, JSON.stringify(await perform(command))));
  return (
    <>
      <button type="button" class="button" onClick={save}>
        {children}
      </button>
      <AsCurl of={command} title={children} file={file} />
    </>
  );
}

function TakeForm({ names, reload }: { readonly names: readonly string[]; readonly reload: () => unknown }) {
  const [typed, setTyped] = useState<string>();
  const name = typed ?? freeName(names);
  const fits = /^[A-Za-z0-9._-]{1,64}$/.test(name);
  const command = call('PUT', 'snapshots/{name}', pathOf(name));
  const take = async (event: Event) => {
    event.preventDefault();
    if (!fits || !(await act(command, ({ bookings }) => `${name} was taken, with ${bookings} bookings.`))) return;
    setTyped(undefined);
    await reload();
  };
  return (
    <form class="inline-form" onSubmit={take}>
      <TextField
        label="Name of the snapshot"
        value={name}
        change={setTyped}
        hint={
          names.includes(name)
            ? 'This replaces the snapshot of that name.'
            : fits
              ? undefined
              : '1 to 64 letters, digits or . _ -'
        }
      />
      <button type="submit" class="button primary" disabled={!fits}>
        Take a snapshot
      </button>
      <AsCurl of={command} title="Take a snapshot" />
    </form>
  );
}

function freeName(names: readonly string[]): string {
  for (let number = names.length + 1; ; number += 1) {
    if (!names.includes(`snapshot-${number}`)) return `snapshot-${number}`;
  }
}

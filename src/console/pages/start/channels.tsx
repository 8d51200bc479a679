import { call, type AdminType } from '../../data/api.js';
import { useCall } from '../../data/load.js';
import { Badge } from '../../parts/badge.js';
import { CopyButton, CopyCurl, CopyValue } from '../../parts/copy.js';
import { Card, Failure } from '../../parts/page.js';
import { type Column, Table } from '../../parts/table.js';

type ChannelRow = AdminType<'ChannelList'>['channels'][number];

const columns: readonly Column<ChannelRow>[] = [
  {
    title: 'Channel',
    cell: ({ name, revoked }) => (
      <>
        <strong>{name}</strong> {revoked && <Badge tone="bad">revoked</Badge>}
      </>
    ),
  },
  {
    title: 'User name',
    cell: ({ username, name }) => <CopyValue value={username} name={`the user name of ${name}`} />,
  },
  { title: 'Password', cell: ({ password, name }) => <CopyValue value={password} name={`the password of ${name}`} /> },
  {
    title: 'Refresh token',
    cell: ({ refreshToken, name }) =>
      refreshToken === null ? (
        <Badge tone="bad">revoked</Badge>
      ) : (
        <CopyValue value={refreshToken} name={`the refresh token of ${name}`} />
      ),
  },
  {
    title: 'Header',
    cell: ({ username, password, name }) => (
      <CopyButton
        text={() => `Authorization: Basic ${btoa(`${username}:${password}`)}`}
        name={`the header of ${name}`}
        label="Copy Authorization"
      />
    ),
  },
];

/** The channels with the credentials that work now. */
export function Channels() {
  const command = call('GET', 'channels');
  const { data, error, reload } = useCall(command);
  return (
    <Card
      title="Channels"
      about="The credentials that work now. Refreshes and scenarios change them."
      flush
      actions={
        <>
          <button type="button" class="button" onClick={reload}>
            Reload
          </button>
          <CopyCurl of={command} />
        </>
      }
    >
      {error && <Failure reason={error} retry={reload} />}
      {data && <Table label="Channels" columns={columns} rows={data.channels} keyOf={({ name }) => name} />}
    </Card>
  );
}

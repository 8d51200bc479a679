import { Card, Empty, Facts, Failure, PageHead } from '../../parts/page.js';
import { baseUrl, consoleUrl, world } from '../../data/base.js';
import { type AdminType, call } from '../../data/api.js';
import { basic } from '../../data/client-request.js';
import { useLive } from '../../data/journal.js';
import { useCall } from '../../data/load.js';
import { Badge, StatusBadge } from '../../parts/badge.js';
import { CodeBlock, CopyButton, CopyValue } from '../../parts/copy.js';
import { AsCurl } from '../../parts/curl.js';
import { type Column, Table } from '../../parts/table.js';
import { useState } from 'preact/hooks';
import { OpenWorld } from '../../shell/world-menu.js';
import { counted, curlCommand } from '../../../common/index.js';
import { JsonView } from '../../parts/json-view.js';
import { sandboxClock } from '../../data/clock.js';
import { ActionButton } from '../../parts/action.js';
import { UtcTime } from '../../parts/time.js';

type WorldRow = AdminType<'WorldList'>['worlds'][number];

const columnsWith = (reload: () => unknown): readonly Column<WorldRow>[] => [
  { title: 'World', cell: ({ name }) => <a href={consoleUrl(name)}>{name}</a> },
  {
    title: 'Last used',
    cell: ({ lastUsed }) => <UtcTime at={lastUsed} />,
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
function Worlds() {
  const command = call('GET', 'worlds');
  const { data, error, reload } = useLive(command);
  const worlds = data?.worlds ?? [];
  return (
    <Card
      title="Worlds"
      about="Each has its own state, clock and journal. Its first request with valid credentials creates it."
    >
      <AsCurl of={command} title="List the worlds" />
      {error && <Failure reason={error} retry={reload} />}
      {data && worlds.length === 0 && (
        <Empty title="Only the main world" yet>
          Open another one below, or send a request to its base URL.
        </Empty>
      )}
      {worlds.length > 0 && (
        <Table label="Worlds" columns={columnsWith(reload)} rows={worlds} keyOf={(one) => one.name} />
      )}
      <OpenWorld />
    </Card>
  );
}

/** Version, clock, dialect and size of the sandbox. */
function Running() {
  const version = useCall(call('GET', 'version'));
  const dialect = useLive(call('GET', 'dialect'));
  const error = version.error ?? dialect.error;
  const answers = Object.keys(dialect.data?.answers ?? {}).length;
  const differing = answers === 0 ? '' : `, ${counted(answers, 'answer')}`;
  const { facilities, seed, version: number } = version.data ?? {};
  return (
    <Card title="What runs here">
      <AsCurl of={call('GET', 'version')} title="What runs here" />
      {error && <Failure reason={error} retry={() => [version, dialect].map((one) => one.reload())} />}
      <Facts
        of={[
          ['Base URL', <CopyValue value={baseUrl} name="the base URL" />],
          ['World', world ?? 'main'],
          ['Version', number ? `teebox ${number}` : '…'],
          ['Clock', <Clock />],
          ['Dialect', dialect.data ? `${dialect.data.name ?? (answers ? 'unnamed' : 'default')}${differing}` : '…'],
          ['Golf', facilities ? `${facilities} facilities, seed ${seed}` : '…'],
        ]}
      />
    </Card>
  );
}

function Clock() {
  const clock = sandboxClock.value;
  if (!clock) return <>…</>;
  return (
    <>
      <UtcTime at={new Date(clock.now).toISOString()} seconds />{' '}
      <Badge tone={clock.mode === 'running' ? 'ok' : 'info'}>{clock.mode === 'running' ? 'running' : 'frozen'}</Badge>
    </>
  );
}

interface FirstAnswer {
  readonly status: number;
  readonly body: unknown;
}

const path = '/api/v3/countries';

async function send(user: string): Promise<FirstAnswer> {
  const response = await fetch(`${baseUrl}${path}`, { headers: { authorization: basic(user) } });
  return { status: response.status, body: await response.json() };
}

/** The first call of a partner, to copy or to send from here. */
function FirstCall() {
  const { data } = useCall(call('GET', 'channels'));
  const [answer, setAnswer] = useState<FirstAnswer>();
  const [error, setError] = useState<string>();
  const channel = data?.channels.find(({ revoked }) => !revoked);
  const user = channel && `${channel.username}:${channel.password}`;
  const click = async () => {
    try {
      setAnswer(await send(user!));
      setError(undefined);
    } catch (reason) {
      setError((reason as Error).message);
    }
  };
  const actions = (
    <button type="button" class="button primary" disabled={!user} onClick={click}>
      Send it
    </button>
  );
  return (
    <Card title="A first call" about="The countries that have facilities. Every client starts here." actions={actions}>
      <CodeBlock
        code={user ? curlCommand({ method: 'GET', url: `${baseUrl}${path}`, user }) : '…'}
        name="the command"
      />
      {error && <Failure reason={error} />}
      {answer && (
        <div class="answer">
          <p>
            <StatusBadge status={answer.status} /> The sandbox answered:
          </p>
          <JsonView value={answer.body} name="the response" />
        </div>
      )}
    </Card>
  );
}

type ChannelRow = AdminType<'ChannelList'>['channels'][number];

const columns: readonly Column<ChannelRow>[] = [
  {
    title: 'Channel',
    cell: ({ name, revoked }) => (
      <>
        <strong>{name}</strong> {revoked && <Badge>revoked</Badge>}
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
        <Badge>revoked</Badge>
      ) : (
        <CopyValue value={refreshToken} name={`the refresh token of ${name}`} />
      ),
  },
  {
    title: 'Header',
    cell: ({ username, password, name }) => (
      <CopyButton
        text={() => `Authorization: ${basic(`${username}:${password}`)}`}
        name={`the header of ${name}`}
        label="Copy Authorization"
      />
    ),
  },
];

/** The channels with the credentials that work now. */
function Channels() {
  const command = call('GET', 'channels');
  const { data, error, reload } = useLive(command);
  return (
    <Card title="Channels" about="The credentials that work now. Refreshes and scenarios change them." flush>
      <AsCurl of={command} title="List the channels" />
      {error && <Failure reason={error} retry={reload} />}
      {data && <Table label="Channels" columns={columns} rows={data.channels} keyOf={({ name }) => name} />}
    </Card>
  );
}

/** What runs here, and how to reach it. */
export default function Start() {
  return (
    <>
      <PageHead
        title="Start"
        about={
          <>
            {world === undefined ? 'The main world' : `The world ${world}`} of this sandbox, with everything that a
            first call needs.
          </>
        }
      />
      <div class="stack start">
        <Running />
        <FirstCall />
        <Channels />
        {world === undefined && <Worlds />}
      </div>
    </>
  );
}

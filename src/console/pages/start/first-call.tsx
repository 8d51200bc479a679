import { useState } from 'preact/hooks';
import { curlCommand } from '../../../common/index.js';
import { call } from '../../data/api.js';
import { baseUrl } from '../../data/base.js';
import { useCall } from '../../data/load.js';
import { StatusBadge } from '../../parts/badge.js';
import { CodeBlock } from '../../parts/copy.js';
import { JsonView } from '../../parts/json-view.js';
import { Card, Failure } from '../../parts/page.js';

interface FirstAnswer {
  readonly status: number;
  readonly body: unknown;
}

const path = '/api/v3/countries';

async function send(user: string): Promise<FirstAnswer> {
  const response = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Basic ${btoa(user)}` } });
  return { status: response.status, body: await response.json() };
}

/** The first call of a partner, to copy or to send from here. */
export function FirstCall() {
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

import { call } from '../../data/api.js';
import { useCall, usePolling } from '../../data/load.js';
import { hrefOf } from '../../data/route.js';
import { ActionButton } from '../../parts/action.js';
import { MethodBadge } from '../../parts/badge.js';
import { JsonView } from '../../parts/json-view.js';
import { Card, Failure } from '../../parts/page.js';
import { UtcTime } from '../../parts/time.js';

const OFTEN_MS = 3000;

/** What an inbox has received, newest first. */
export function InboxMessages({ name }: { readonly name: string }) {
  const { data, error, reload } = useCall(call('GET', 'inbox/{name}', { path: { name } }));
  usePolling(reload, OFTEN_MS, [reload]);
  const actions = (
    <>
      <ActionButton
        command={call('DELETE', 'inbox/{name}', { path: { name } })}
        done={`The inbox ${name} was emptied.`}
        then={reload}
      >
        Empty
      </ActionButton>
      <a class="button quiet" href={hrefOf(['callbacks'])}>
        Close
      </a>
    </>
  );
  return (
    <Card title={`Inbox ${name}`} actions={actions}>
      {error && <Failure reason={error} retry={reload} />}
      {data?.messages.length === 0 && <p class="about">There are no messages.</p>}
      {data?.messages.toReversed().map(({ at, method, contentType, body }, index) => (
        <article class="inbox-message" key={`${at} ${data.messages.length - index}`}>
          <p>
            <MethodBadge method={method} /> <UtcTime at={at} seconds /> <span class="about">{contentType}</span>
          </p>
          <JsonView value={body} name={`message ${data.messages.length - index}`} />
        </article>
      ))}
    </Card>
  );
}

import { useEffect } from 'preact/hooks';
import { call } from '../../data/api.js';
import { followJournal } from '../../data/journal.js';
import { usePolling, useCall } from '../../data/load.js';
import { route } from '../../data/route.js';
import { AsCurl } from '../../parts/curl.js';
import { Card, Empty, Failure, PageHead } from '../../parts/page.js';
import { Deliveries } from './deliveries.js';
import { Delivery } from './delivery.js';
import { InboxMessages } from './inbox-messages.js';
import { Inboxes } from './inboxes.js';

const OFTEN_MS = 3000;

/** The results that the sandbox posts to callers, and the inbox that can receive them. */
export default function Callbacks() {
  const [first, name] = route.value.rest;
  const isInbox = first === 'inbox' && name !== undefined;
  return (
    <>
      <PageHead
        title="Callbacks"
        about="The results of searches that are posted to callers, and an inbox that can receive them."
      />
      <div class="stack callbacks">
        <div class="stack">
          <Posted selected={isInbox ? undefined : first} />
          <Inboxes selected={isInbox ? name : undefined} />
        </div>
        {isInbox && <InboxMessages key={name} name={name} />}
        {first !== undefined && !isInbox && <Delivery key={first} id={first} />}
      </div>
    </>
  );
}

function Posted({ selected }: { readonly selected: string | undefined }) {
  const command = call('GET', 'callbacks');
  const { data, error, reload } = useCall(command);
  usePolling(reload, OFTEN_MS, [reload]);
  useEffect(
    () =>
      followJournal({
        entry: ({ state, operation = '' }) => state !== 'open' && operation.endsWith('searchTeeTimes') && void reload(),
        stale: () => void reload(),
      }),
    [reload],
  );
  return (
    <Card title="Deliveries" about="The last thousand, newest first." flush>
      <AsCurl of={command} title="List the deliveries" />
      {error && <Failure reason={error} retry={reload} />}
      {data?.count === 0 && (
        <Empty title="No callbacks yet" yet>
          A search for tee times of several facilities posts its result to a <code>callbackUrl</code>.
        </Empty>
      )}
      {data && data.count > 0 && <Deliveries of={data.callbacks} selected={selected} />}
    </Card>
  );
}

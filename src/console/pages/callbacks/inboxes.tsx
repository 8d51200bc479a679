import { call } from '../../data/api.js';
import { baseUrl } from '../../data/base.js';
import { useCall, usePolling } from '../../data/load.js';
import { hrefOf } from '../../data/route.js';
import { CopyValue } from '../../parts/copy.js';
import { AsCurl } from '../../parts/curl.js';
import { Badge } from '../../parts/badge.js';
import { Card, Failure } from '../../parts/page.js';

const OFTEN_MS = 3000;

/** The names that have messages, and the address that can be a `callbackUrl`. */
export function Inboxes({ selected }: { readonly selected: string | undefined }) {
  const command = call('GET', 'inbox');
  const { data, error, reload } = useCall(command);
  usePolling(reload, OFTEN_MS, [reload]);
  return (
    <Card
      title="Inbox"
      about="A receiver of the sandbox itself. It answers with an error or late, if its address says so."
    >
      <AsCurl of={command} title="List the inboxes" />
      {error && <Failure reason={error} retry={reload} />}
      <p class="inbox-address">
        <span class="about">Any name is an inbox:</span>{' '}
        <CopyValue value={`${baseUrl}/__admin/inbox/tests`} name="the address of an inbox" />
      </p>
      {data?.count === 0 && <p class="about">No inbox has messages.</p>}
      <ul class="inbox-names">
        {data?.names.map(({ name, count }) => (
          <li key={name}>
            <a href={hrefOf(['callbacks', 'inbox', name])} aria-current={name === selected ? 'true' : undefined}>
              {name}
            </a>{' '}
            <Badge>{count}</Badge>
          </li>
        ))}
      </ul>
    </Card>
  );
}

import { RotateCw, X } from 'lucide';
import { useEffect } from 'preact/hooks';
import { type AdminType, call, reasonOf } from '../../data/api.js';
import { useCall } from '../../data/load.js';
import type { RequestRow } from '../../data/request-log.js';
import { go, hrefOf, route } from '../../data/route.js';
import { toast } from '../../data/toasts.js';
import { Badge, MethodBadge, StatusBadge } from '../../parts/badge.js';
import { CopyButton, CopyCurl } from '../../parts/copy.js';
import { Icon } from '../../parts/icon.js';
import { Facts, Failure } from '../../parts/page.js';
import { noneOf } from './columns.js';
import { Message } from './message.js';
import { Rules } from './rules.js';
import { commandOf, resendOf, sendAgain } from './send-again.js';

/** One request: what was sent, what was answered, and the rules and scenarios that decided. */
export function Detail({ id, row }: { readonly id: string; readonly row: RequestRow | undefined }) {
  const { data, error, reload } = useCall(call('GET', 'requests/{id}', { path: { id } }));
  useEffect(() => {
    if (data?.state === 'open' && row && row.state !== 'open') void reload();
  }, [row, data]);
  return (
    <section class="panes-detail" aria-label={`Request ${id}`}>
      <header class="detail-head">
        <h2>{id}</h2>
        {data && <Actions view={data} />}
        <a class="button quiet bare" href={hrefOf(['requests'], route.value.query)} title="Close">
          <Icon of={X} />
          <span class="unseen">Close</span>
        </a>
      </header>
      {error && <Failure reason={error} />}
      {data && (
        <div class="stack" key={data.state}>
          <Overview view={data} />
          <Scenario view={data} />
          <Rules id={id} />
          <div class="exchange">
            <Message title="Request" headers={data.request.headers} body={data.request.body} />
            {data.response ? (
              <Message
                title="Response"
                headers={data.response.headers}
                body={data.response.body}
                length={data.response.length}
              />
            ) : (
              <Message title="Response" />
            )}
          </div>
        </div>
      )}
    </section>
  );
}

function Actions({ view }: { readonly view: AdminType<'RequestView'> }) {
  const { data } = useCall(call('GET', 'channels'));
  const again = resendOf(view, data?.channels ?? []);
  const send = async () => {
    try {
      const { status, id } = await sendAgain(again);
      toast(id === '' ? `It was answered with ${status}.` : `Sent again as ${id}, which was answered with ${status}.`);
      if (id !== '') go(hrefOf(['requests', id], route.value.query));
    } catch (error) {
      toast(`The request got no response: ${reasonOf(error)}`, 'bad');
    }
  };
  return (
    <div class="actions">
      <button type="button" class="button" disabled={!data} onClick={() => void send()}>
        <Icon of={RotateCw} size={14} />
        Send again
      </button>
      <CopyButton text={() => commandOf(again)} name="the request as curl" label="Copy as curl" />
      <CopyCurl of={call('GET', 'requests/{id}/explain', { path: { id: view.id } })} bare />
    </div>
  );
}

function Overview({ view }: { readonly view: AdminType<'RequestView'> }) {
  const { method, path, status, at, operation, channel, durationMs, detail, warnings = [] } = view;
  return (
    <div class="overview">
      <p class="request-line">
        <MethodBadge method={method} /> <code>{path}</code> <StatusBadge status={status} none={noneOf(view)} />
      </p>
      {detail && <p class="why">{detail}</p>}
      {warnings.map((warning) => (
        <p key={warning} class="why warning">
          {warning}
        </p>
      ))}
      <Facts
        of={[
          ['Operation', operation ?? 'none'],
          ['Channel', channel ?? 'none'],
          ['Time', <time dateTime={at}>{at.replace('T', ' ').replace('Z', ' UTC')}</time>],
          ['Duration', durationMs === undefined ? 'open' : `${durationMs} ms`],
        ]}
      />
    </div>
  );
}

function Scenario({ view: { scenario } }: { readonly view: AdminType<'RequestView'> }) {
  if (!scenario) return null;
  const { id, source, struck, phase, as, also = [] } = scenario;
  return (
    <div class={struck ? 'why scenario' : 'why'}>
      <p>
        <Badge tone={struck ? 'accent' : 'neutral'}>{struck ? 'struck' : 'not triggered'}</Badge>{' '}
        <a href={hrefOf(['scenarios', id])}>{id}</a>, requested by {source}
        {phase && `, ${phase.replace('-', ' ')}`}
        {as && `, shown as ${as}`}.
      </p>
      {also.length > 0 && <p class="about">Also: {also.join(', ')}</p>}
    </div>
  );
}

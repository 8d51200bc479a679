import { RotateCw, X } from 'lucide';
import { useEffect } from 'preact/hooks';
import { type AdminType, call, reasonOf } from '../../data/api.js';
import { commandOf } from '../../data/client-request.js';
import { useCall } from '../../data/load.js';
import { hasFailed, type RequestRow } from '../../data/request-log.js';
import { go, hrefOf, route } from '../../data/route.js';
import { toast } from '../../data/toasts.js';
import { MethodBadge, StatusBadge } from '../../parts/badge.js';
import { CopyButton } from '../../parts/copy.js';
import { AsCurl } from '../../parts/curl.js';
import { Icon } from '../../parts/icon.js';
import { Failure } from '../../parts/page.js';
import { DetailPane } from '../../parts/pane.js';
import { Prose } from '../../parts/prose.js';
import { UtcTime } from '../../parts/time.js';
import { counterpartOf } from './compare.js';
import { noneOf } from './columns.js';
import { Exchange } from './exchange.js';
import { ExportMenu } from './export.js';
import { FailAgain } from './fail-again.js';
import { partsOf } from './filter.js';
import { Links } from './links.js';
import { resendOf, sendAgain } from './resend.js';
import { Rules } from './rules.js';
import { halvesOf, isUnknown, outcomeOf } from './words.js';

interface DetailProps {
  readonly id: string;
  readonly row: RequestRow | undefined;
  readonly rows: readonly RequestRow[];
}

/** One request: what came of it, what was sent and answered, and the rules and scenarios that decided. */
export function Detail({ id, row, rows }: DetailProps) {
  const { data, error, reload } = useCall(call('GET', 'requests/{id}', { path: { id } }));
  useEffect(() => {
    if (data?.state === 'open' && row && row.state !== 'open') void reload();
  }, [row, data]);
  return (
    <DetailPane label={`Request ${id}`} closeHref={hrefOf(['requests'], route.value.query)}>
      <header class="detail-head">
        <h2>{id}</h2>
        {data && <Actions view={data} rows={rows} />}
        <CloseLink />
      </header>
      {error && !row && <Failure reason={error} />}
      {error && row && !data && (
        <div class="stack">
          <p class="why warning">
            The sandbox keeps its last requests, and this one is older. Its headers and body are gone.
          </p>
          <Overview view={row} />
        </div>
      )}
      {data && (
        <div class="stack" key={data.state}>
          <div class="overview">
            <Overview view={data} />
            <Links view={data} />
          </div>
          <Exchange view={data} />
          <Rules id={id} />
        </div>
      )}
    </DetailPane>
  );
}

/** Closes the pane. */
export function CloseLink() {
  return (
    <a class="button quiet bare" href={hrefOf(['requests'], route.value.query)} title="Close">
      <Icon of={X} />
      <span class="unseen">Close</span>
    </a>
  );
}

function Actions({ view, rows }: { readonly view: AdminType<'RequestView'>; readonly rows: readonly RequestRow[] }) {
  const counterpart = counterpartOf(view, rows);
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
      <FailAgain view={view} />
      {counterpart && (
        <a class="button" href={hrefOf(['requests', counterpart.id, view.id], route.value.query)}>
          Compare with {counterpart.id}
        </a>
      )}
      <CopyButton text={() => commandOf(again)} name="the request as curl" label="Copy as curl" />
      <ExportMenu rows={[view]} what={view.id} />
      <AsCurl
        of={call('GET', 'requests/{id}/explain', { path: { id: view.id } })}
        title={`Why ${view.id} was answered so`}
      />
    </div>
  );
}

/** What came of a request, in one sentence, and then what it was. */
export function Overview({ view }: { readonly view: RequestRow }) {
  const { warnings = [] } = view;
  return (
    <div class="overview">
      <Sentence view={view} />
      <p class="request-line">
        <StatusBadge status={view.status} none={noneOf(view)} /> <MethodBadge method={view.method} />{' '}
        <code>{view.path}</code>
      </p>
      <Particulars view={view} />
      {warnings.map((warning) => (
        <p key={warning} class="why warning">
          <Prose text={warning} />
        </p>
      ))}
    </div>
  );
}

function Sentence({ view }: { readonly view: RequestRow }) {
  const { head, reason } = outcomeOf(view);
  const halves = halvesOf(view);
  if (halves) {
    return (
      <div class="sentence bad">
        <p>
          <strong>Client was told:</strong> {halves.told}
        </p>
        <p>
          <strong>True:</strong> {halves.truth}, <Prose text={reason ?? ''} />
        </p>
      </div>
    );
  }
  const [version, name] = partsOf(view);
  const without = hasFailed(view) ? `answered with ${view.status}` : `${name || 'no operation'} ${version}`.trim();
  return (
    <p class={`sentence ${toneOf(view)}`}>
      <strong>{head}:</strong> <Prose text={reason ?? without} />
    </p>
  );
}

/** Red is for what the client may not know, and for a service that failed. */
function toneOf(view: RequestRow): string {
  if (isUnknown(view) || view.status >= 500) return 'bad';
  return hasFailed(view) ? 'warn' : '';
}

function Particulars({ view }: { readonly view: RequestRow }) {
  const { operation, channel, at, durationMs } = view;
  return (
    <ul class="particulars">
      <li>{operation ?? 'no operation'}</li>
      <li>{channel ?? 'no channel'}</li>
      <li>
        <UtcTime at={at} seconds />
      </li>
      <li>{durationMs === undefined ? 'duration unknown' : `${durationMs} ms`}</li>
    </ul>
  );
}

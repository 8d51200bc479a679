import { RotateCw, X } from 'lucide';
import { useEffect } from 'preact/hooks';
import { type AdminType, call, reasonOf } from '../../data/api.js';
import { useCall } from '../../data/load.js';
import type { RequestRow } from '../../data/request-log.js';
import { go, hrefOf, route } from '../../data/route.js';
import { toast } from '../../data/toasts.js';
import { Badge, MethodBadge, StatusBadge, type Tone } from '../../parts/badge.js';
import { CopyButton, CopyCurl } from '../../parts/copy.js';
import { Icon } from '../../parts/icon.js';
import { Facts, Failure } from '../../parts/page.js';
import { noneOf } from './columns.js';
import { DetailPane } from '../../parts/pane.js';
import { JsonView } from '../../parts/json-view.js';
import { GuideLink } from '../../parts/guide-link.js';
import { Prose } from '../../parts/prose.js';
import { UtcTime } from '../../parts/time.js';
import { curlCommand } from '../../../common/index.js';
import { baseUrl } from '../../data/base.js';

type Sender = AdminType<'ChannelList'>['channels'][number];

/** A request of the journal as it can be sent again: the journal masks secrets, the channels have those of now. */
interface Resend {
  readonly method: string;
  readonly url: string;
  readonly user?: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

/** What a client sets by itself, and what is masked. */
const own =
  /^(host|connection|content-length|accept-encoding|accept-language|transfer-encoding|keep-alive|origin|referer|user-agent|cookie|authorization|sec-.*|priority)$/i;
const MASKED = '***';

/** Prepares a request of the journal for being sent again. */
function resendOf(view: AdminType<'RequestView'>, channels: readonly Sender[]): Resend {
  const { method, path, request, channel: name } = view;
  const channel = channels.find((one) => one.name === name);
  const entries = Object.entries(request.headers);
  const headers = entries.filter(([header, value]) => !own.test(header) && !value.includes(MASKED));
  const hadSecret = entries.some(([, value]) => value.includes(MASKED));
  const body = bodyOf(request.body, channel);
  return {
    method,
    url: `${baseUrl}${path}`,
    ...(hadSecret && channel ? { user: `${channel.username}:${channel.password}` } : {}),
    headers,
    ...(body === undefined ? {} : { body }),
  };
}

function bodyOf(body: unknown, channel: Sender | undefined): string | undefined {
  if (body === undefined) return undefined;
  if (typeof body === 'string') return body;
  const token = channel?.refreshToken;
  const filled = (name: string, value: unknown) =>
    value === MASKED && token && /refresh_?token/i.test(name) ? token : value;
  return JSON.stringify(body, filled);
}

/** The command of a shell that sends it. */
function commandOf({ method, url, user, headers, body }: Resend): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return curlCommand({ method, url, headers: lines, ...(user && { user }), ...(body !== undefined && { body }) });
}

/** Sends it. Gives back the status, and the id under which the journal has it. */
async function sendAgain({ method, url, user, headers, body }: Resend): Promise<{ status: number; id: string }> {
  const all = new Headers(headers.map(([name, value]): [string, string] => [name, value]));
  if (user !== undefined) all.set('authorization', `Basic ${btoa(user)}`);
  const response = await fetch(url, { method, headers: all, cache: 'no-store', ...(body !== undefined && { body }) });
  return { status: response.status, id: response.headers.get('teebox-request-id') ?? '' };
}

type DecidingRule = AdminType<'Explanation'>['rules'][number];

const tones: Readonly<Record<DecidingRule['outcome'], Tone>> = {
  held: 'ok',
  refused: 'warn',
  chosen: 'info',
  failed: 'bad',
};

/** The rules that decided a response, with their source in the API specification. */
function Rules({ id, detail }: { readonly id: string; readonly detail: string | undefined }) {
  const { data, error } = useCall(call('GET', 'requests/{id}/explain', { path: { id } }));
  return (
    <section class="rules" aria-label="The rules that decided">
      <h3>Why this answer</h3>
      {error && <Failure reason={error} />}
      {data?.rules.length === 0 && <p class="about">No rule is known to have decided it.</p>}
      <ul>
        {data?.rules.map((rule, index) => (
          <Rule key={`${rule.rule} ${index}`} rule={rule} detail={rule.outcome === 'refused' ? detail : undefined} />
        ))}
      </ul>
    </section>
  );
}

function Rule({
  rule: { rule, words, basis, source, outcome, question, answer, scenario },
  detail,
}: {
  readonly rule: DecidingRule;
  /** What this request did, which the general words of the rule need not fit. */
  readonly detail?: string | undefined;
}) {
  return (
    <li class={outcome}>
      <p>
        <Badge tone={tones[outcome]}>{outcome}</Badge> <code>{rule}</code>
        {basis && <span class="about">{` ${basis}`}</span>}
      </p>
      {detail && (
        <p>
          This request: <Prose text={detail} />
        </p>
      )}
      <p class={detail ? 'about' : ''}>
        {detail && 'The rule: '}
        <Prose text={words} />
      </p>
      {source && (
        <p class="about">
          Specification: <Prose text={`${source.section}, ${source.item}`} />
        </p>
      )}
      {question && (
        <p class="about">
          The API specification leaves open: <Prose text={question.asks} />{' '}
          {answer === undefined ? (
            'The sandbox has one answer, which no dialect changes'
          ) : (
            <>
              The dialect answers <code>{JSON.stringify(answer)}</code>
            </>
          )}{' '}
          (<code>{question.id}</code>). <GuideLink page="operators">All open questions</GuideLink>
        </p>
      )}
      {scenario && (
        <p class="about">
          This request triggered the scenario {scenario}. <GuideLink page="failures#scenarios">All scenarios</GuideLink>
        </p>
      )}
    </li>
  );
}

/** Headers and body of one side of an exchange. */
function Message({
  title,
  headers,
  body,
  length,
}: {
  readonly title: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly length?: number;
}) {
  return (
    <section class="message" aria-label={title}>
      <h3>
        {title}
        {length !== undefined && <span class="about">{` · ${length.toLocaleString('en')} characters`}</span>}
      </h3>
      {headers && <HeaderList of={headers} name={`The headers of the ${title.toLowerCase()}`} />}
      {body !== undefined && <JsonView value={body} name={`the body of the ${title.toLowerCase()}`} />}
      {!headers && <p class="about">There is none.</p>}
      {headers && body === undefined && (
        <p class="about">{length ? 'The body was too long to keep.' : 'There is no body.'}</p>
      )}
    </section>
  );
}

function HeaderList({ of, name }: { readonly of: Readonly<Record<string, string>>; readonly name: string }) {
  const entries = Object.entries(of);
  return (
    <details class="headers">
      <summary>{`${entries.length} headers`}</summary>
      <dl aria-label={name}>
        {entries.map(([header, value]) => (
          <div key={header}>
            <dt>{header}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** One request: what was sent, what was answered, and the rules and scenarios that decided. */
export function Detail({ id, row }: { readonly id: string; readonly row: RequestRow | undefined }) {
  const { data, error, reload } = useCall(call('GET', 'requests/{id}', { path: { id } }));
  useEffect(() => {
    if (data?.state === 'open' && row && row.state !== 'open') void reload();
  }, [row, data]);
  return (
    <DetailPane label={`Request ${id}`} closeHref={hrefOf(['requests'], route.value.query)}>
      <header class="detail-head">
        <h2>{id}</h2>
        {data && <Actions view={data} />}
        <a class="button quiet bare" href={hrefOf(['requests'], route.value.query)} title="Close">
          <Icon of={X} />
          <span class="unseen">Close</span>
        </a>
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
          <Overview view={data} />
          <Scenario view={data} />
          <Rules id={id} detail={data.detail} />
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
    </DetailPane>
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

function Overview({ view }: { readonly view: RequestRow }) {
  const { method, path, status, at, operation, channel, durationMs, detail, warnings = [] } = view;
  return (
    <div class="overview">
      <p class="request-line">
        <MethodBadge method={method} /> <code>{path}</code> <StatusBadge status={status} none={noneOf(view)} />
      </p>
      {detail && (
        <p class="why">
          <strong>Refused:</strong> <Prose text={detail} />
        </p>
      )}
      {warnings.map((warning) => (
        <p key={warning} class="why warning">
          <Prose text={warning} />
        </p>
      ))}
      <Facts
        of={[
          ['Operation', operation ?? 'none'],
          ['Channel', channel ?? 'none'],
          ['Time', <UtcTime at={at} seconds />],
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
        <Badge tone={struck ? 'accent' : 'neutral'}>{struck ? 'triggered' : 'not triggered'}</Badge>{' '}
        <a href={hrefOf(['scenarios', id])}>{id}</a>, requested by {source}
        {phase && `, ${phase.replace('-', ' ')}`}
        {as && `, shown as ${as}`}.
      </p>
      {also.length > 0 && <p class="about">Also: {also.join(', ')}</p>}
    </div>
  );
}

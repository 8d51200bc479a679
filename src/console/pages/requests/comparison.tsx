import { ArrowLeftRight } from 'lucide';
import { type AdminType, call } from '../../data/api.js';
import { useCall } from '../../data/load.js';
import type { RequestRow } from '../../data/request-log.js';
import { hrefOf, route } from '../../data/route.js';
import { Icon } from '../../parts/icon.js';
import { Failure } from '../../parts/page.js';
import { DetailPane } from '../../parts/pane.js';
import { utcWords } from '../../parts/time.js';
import { changesBetween, compareJson, type Difference, targetOf } from './compare.js';
import { CloseLink, Overview } from './detail.js';
import { outcomeOf } from './words.js';

type RequestView = AdminType<'RequestView'>;
type Reasons = AdminType<'Explanation'>;

/** Two requests side by side: only what differs between them, and how much is the same. */
export function Comparison({
  ids,
  rows,
}: {
  readonly ids: readonly [string, string];
  readonly rows: readonly RequestRow[];
}) {
  const [one, other] = [useView(ids[0]), useView(ids[1])];
  const { query } = route.value;
  const error = one.error ?? other.error;
  return (
    <DetailPane label={ids.join(' and ')} closeHref={hrefOf(['requests'], query)}>
      <header class="detail-head">
        <h2>{ids.join(' and ')}</h2>
        <a class="button" href={hrefOf(['requests', ids[1], ids[0]], query)}>
          <Icon of={ArrowLeftRight} size={14} /> Swap
        </a>
        <CloseLink />
      </header>
      {error && <Failure reason={error} />}
      {one.view && other.view && (
        <div class="stack">
          <div class="exchange">
            <Side view={one.view} />
            <Side view={other.view} />
          </div>
          <Parts names={ids} pairs={pairsOf(one.view, other.view, [one.reasons, other.reasons])} />
          <Changes ids={ids} rows={rows} />
        </div>
      )}
    </DetailPane>
  );
}

function useView(id: string) {
  const view = useCall(call('GET', 'requests/{id}', { path: { id } }));
  const reasons = useCall(call('GET', 'requests/{id}/explain', { path: { id } }));
  return { view: view.data, reasons: reasons.data, error: view.error ?? reasons.error };
}

function Side({ view }: { readonly view: RequestView }) {
  return (
    <section class="side" aria-label={view.id}>
      <h3>
        <a href={hrefOf(['requests', view.id], route.value.query)}>{view.id}</a>
      </h3>
      <Overview view={view} />
    </section>
  );
}

/** One part of two requests. */
interface Pair {
  readonly title: string;
  readonly one: unknown;
  readonly other: unknown;
}

/** Its name is in the heading already, and always another. */
const NAME = 'teebox-request-id';

function headersOf(headers: Readonly<Record<string, string>> | undefined): unknown {
  return headers && Object.fromEntries(Object.entries(headers).filter(([name]) => name !== NAME));
}

function stateOf({ at, channel, state }: RequestView): unknown {
  return { clock: utcWords(at, true), channel, connection: state };
}

function pairsOf(
  one: RequestView,
  other: RequestView,
  [why, reason]: readonly [Reasons | undefined, Reasons | undefined],
): readonly Pair[] {
  const { request, response } = one;
  return [
    { title: 'Decided by', one: why && decisionOf(why), other: reason && decisionOf(reason) },
    { title: 'Request', one: targetOf(one), other: targetOf(other) },
    { title: 'Request headers', one: request.headers, other: other.request.headers },
    { title: 'Request body', one: request.body, other: other.request.body },
    { title: 'State', one: stateOf(one), other: stateOf(other) },
    { title: 'Response headers', one: headersOf(response?.headers), other: headersOf(other.response?.headers) },
    { title: 'Response body', one: response?.body, other: other.response?.body },
  ];
}

/** The parts that differ, and the names of those that do not. */
function Parts({ pairs, names }: { readonly pairs: readonly Pair[]; readonly names: readonly [string, string] }) {
  const parts = pairs
    .filter(({ one, other }) => one !== undefined || other !== undefined)
    .map((pair) => ({ ...pair, ...compareJson(pair.one, pair.other) }));
  const same = parts.filter(({ found }) => found.length === 0).map(({ title }) => title.toLowerCase());
  return (
    <>
      {parts.map((part) => part.found.length > 0 && <Part key={part.title} {...part} names={names} />)}
      {same.length > 0 && <p class="about">The same in both: {same.join(', ')}.</p>}
    </>
  );
}

interface PartProps {
  readonly title: string;
  readonly names: readonly [string, string];
  readonly found: readonly Difference[];
  readonly same: number;
}

/** The differences of one part. */
function Part({ title, names, found, same }: PartProps) {
  return (
    <section class="part" aria-label={title}>
      <h3>
        {title} <span class="about">{same > 0 && `${same} the same`}</span>
      </h3>
      <div role="table" aria-label={title}>
        <div role="row" class="unseen">
          {['Where', ...names].map((name) => (
            <span key={name} role="columnheader">
              {name}
            </span>
          ))}
        </div>
        {found.map(({ where, one, other }) => (
          <div key={where} role="row" class="difference">
            <code role="cell" class="where">
              {where || 'the whole'}
            </code>
            <Value of={one} />
            <Value of={other} />
          </div>
        ))}
      </div>
    </section>
  );
}

function Value({ of }: { readonly of: unknown }) {
  if (of === undefined)
    return (
      <span role="cell" class="value none">
        nothing
      </span>
    );
  return (
    <code role="cell" class="value">
      {typeof of === 'string' ? of : JSON.stringify(of)}
    </code>
  );
}

/** The rule that decided a request, and what came of it. */
function decisionOf({ request, rules }: Reasons): unknown {
  const { head, reason } = outcomeOf(request);
  const plain = (text: string | undefined) => text?.replaceAll('`', '');
  return {
    rule: request.rule,
    outcome: plain(reason ? `${head}: ${reason}` : head),
    statement: plain(rules.find(({ rule }) => rule === request.rule)?.words),
  };
}

/** What the sandbox did between the two, by requests. */
function Changes({
  ids: [one, other],
  rows,
}: {
  readonly ids: readonly [string, string];
  readonly rows: readonly RequestRow[];
}) {
  const changes = changesBetween(one, other, rows);
  return (
    <section class="part" aria-label="Changes between them">
      <h3>
        Changes between them <span class="about">{changes.length === 0 ? 'none by a request' : changes.length}</span>
      </h3>
      <ul>
        {changes.slice(0, MOST_CHANGES).map(({ id, method, path, status }) => (
          <li key={id}>
            <a href={hrefOf(['requests', id], route.value.query)}>{id}</a>{' '}
            <code>{`${method} ${path.split('?')[0]}`}</code> {status}
          </li>
        ))}
        {changes.length > MOST_CHANGES && <li class="about">{`and ${changes.length - MOST_CHANGES} more`}</li>}
      </ul>
    </section>
  );
}

const MOST_CHANGES = 12;

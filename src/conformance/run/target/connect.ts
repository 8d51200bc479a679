import { isObject } from '../../../common/index.js';
import type { Reply } from '../../client/exchange.js';
import { operationIn } from '../../client/operations.js';
import { Inconclusive, NoDeployment, NotAllowed } from '../../client/outcome.js';
import type { OperationCall } from '../../client/request.js';
import type { Session } from '../../client/session.js';
import { MOST_IDS } from '../../journeys/connected-facilities.js';
import { learnClock } from '../../journeys/deployment-clock.js';
import { NEAREST } from '../../journeys/tee-sheets.js';
import { INTERRUPTED } from '../given-token.js';

/**
 * The first requests: is there a deployment, is it the service, and does it accept the credentials?
 *
 * @throws {NoDeployment} where the answer is no.
 */
export async function connect(session: Session): Promise<void> {
  const replies: Reply[] = [];
  for (const { operation, params } of firstReads(session)) {
    try {
      const reply = await session.read(operation, params);
      // A page of another site may come with a 200; the service answers in JSON.
      if (reply.ok && reply.json !== undefined) return await learnClock(session);
      replies.push(reply);
    } catch (error) {
      // The report says what ended the run.
      if (error instanceof NotAllowed && ['deadline', 'interrupted'].includes(error.reason)) return;
      if (error instanceof NotAllowed) break;
      if (!(error instanceof Inconclusive)) throw error;
      // The deployment took the token and answered without a token set: the rules of that answer report it.
      if (session.run.transport.channels.first.refusal?.ok) return;
      throw withoutAnswer(error, session);
    }
  }
  throw rejected(replies, session);
}

/** What is read first, of what the deployment is said to have. */
function firstReads(session: Session): readonly Pick<OperationCall, 'operation' | 'params'>[] {
  const { scope } = session.run.transport;
  // One operation that answers in another form is a finding of its own; the others show that the service is there.
  const countries = scope.versionsOf('listCountries').map((version) => operationIn('listCountries', version));
  const bookings = scope
    .versionsOf('listBookings')
    .slice(0, 1)
    .map((version) => operationIn('listBookings', version));
  const lists = [...countries, ...bookings].map((operation) => ({ operation }));
  const facilityIds = scope.facilities.slice(0, MOST_IDS).join(',');
  if (facilityIds === '' || !scope.has(operationIn('listPrices'))) {
    if (lists.length > 0) return lists;
    const message = 'No operation in scope lists facilities. Name one with --facility.';
    throw new NoDeployment('refused', message);
  }
  const { query: fromDate } = session.day(NEAREST);
  return [...lists, { operation: operationIn('listPrices'), params: { facilityIds, fromDate, toDate: fromDate } }];
}

function withoutAnswer({ reason, missing, hint }: Inconclusive, session: Session): NoDeployment {
  const after = (words = ''): string => (words === '' ? '' : ` ${words}`);
  if (reason === 'network' || reason === 'rate-limited' || reason === 'too-large') {
    return new NoDeployment('unreachable', `The deployment cannot be reached. Missing: ${missing}.${after(hint)}`);
  }
  const { first } = session.run.transport.channels;
  const reset = 'If the deployment was reset, pass its first refresh token again and remove the token file.';
  const anew = first.options.journal ? (first.wasInterrupted ? INTERRUPTED : reset) : '';
  return new NoDeployment('refused', `The deployment cannot be checked. Missing: ${missing}.${after(anew)}`);
}

/** Why answers to the first requests are none of a deployment that can be checked. */
function rejected(replies: readonly Reply[], { run: { transport } }: Session): NoDeployment {
  const [first] = replies;
  if (!first) {
    const message = 'The request limit was reached before the deployment answered. Raise --max-requests.';
    return new NoDeployment('refused', message);
  }
  const oddities = odditiesOf(transport.channels.first.options.basic).map((oddity) => ` ${oddity}`);
  const own = replies.find((reply) => isOfTheService(reply));
  if (own) {
    const message = `The credentials are refused: ${own.what} returns ${own.status}.${oddities.join('')}`;
    return new NoDeployment('refused', message);
  }
  const refusal = replies.find(({ status }) => status === 401 || status === 403);
  if (refusal) {
    const message = `The credentials are refused, perhaps by a gateway in front of the service: ${inWords(refusal)}. Check the credentials; those of a gateway go into the setting gateway-basic or --header.${oddities.join('')}`;
    return new NoDeployment('refused', message);
  }
  const failing = replies.every(({ status, json }) => status >= 500 && isObject(json) && 'success' in json);
  const message = failing
    ? `The deployment fails: ${inWords(first)}.`
    : `Nothing at this base URL answers like the service: ${inWords(first)}. ${urlHint(transport.options.baseUrl, first)}`;
  return new NoDeployment('unreachable', message);
}

/** What nobody writes on purpose around a user name or a password, and sends all the same. */
function odditiesOf(basic: { readonly username: string; readonly password: string } | undefined): readonly string[] {
  const parts = basic
    ? ([
        ['user name', basic.username],
        ['password', basic.password],
      ] as const)
    : [];
  return parts.flatMap(([name, text]) => {
    if (text === '') return [`The ${name} is empty.`];
    if (/\$\{\w+\}|\{\{|^\$\w+$|^%\w+%$/.test(text))
      return [`The ${name} has a placeholder that nothing has replaced.`];
    if (/^["'`\u2018-\u201f]|["'`\u2018-\u201f]$/.test(text))
      return [`The ${name} starts or ends with a quotation mark.`];
    if (/^\s|\s$/.test(text)) return [`The ${name} starts or ends with a blank.`];
    return /[^\x20-\x7e]/.test(text) ? [`The ${name} has characters beyond ASCII, sent in UTF-8.`] : [];
  });
}

/** What is wrong with a base URL, as far as the first answer shows. */
function urlHint(baseUrl: string, { text, status, headers }: Reply): string {
  const { origin, protocol, pathname } = new URL(baseUrl);
  const base = pathname.replace(/\/+$/, '');
  const tooDeep = /\/api(\/.*)?$/.exec(base);
  if (tooDeep) {
    return `The base URL is too deep: leave out its ${tooDeep[0]}, as in ${origin}${base.slice(0, tooDeep.index)}.`;
  }
  const location = headers.get('location') ?? '';
  const wantsTls =
    (status === 400 && /\bhttps\b/i.test(text)) || location.startsWith(origin.replace(/^http:/, 'https:'));
  if (protocol === 'http:' && wantsTls) return 'Start the base URL with https://.';
  if (/ssl certificate|client certificate/i.test(text)) {
    return 'It asks for a client certificate: pass one with --cert FILE and --key FILE.';
  }
  if (status >= 500) return 'Check the gateway in front of the service, and whether the service runs.';
  return base === ''
    ? `Check the base URL: the service may be below a path, such as ${origin}/golf.`
    : `Check the base URL: its path ${base} may be wrong.`;
}

/** Whether the service itself answers, and refuses: its envelope is there. */
function isOfTheService({ status, json }: Reply): boolean {
  return isObject(json) && 'success' in json && status !== 404 && status < 500;
}

/** The answer in one clause: its status, where it leads, and the first words of its page. */
function inWords({ what, status, headers, text, json }: Reply): string {
  const location = headers.get('location');
  const words = firstWords(text);
  return [
    `${what} returns ${status}`,
    ...(location === null ? [] : [`with Location ${printable(location)}`]),
    ...(/^\s*[[{]/.test(text) && json === undefined ? ['with JSON that is not well-formed'] : []),
    ...(words === '' ? [] : [`and says "${words}"`]),
  ].join(' ');
}

const MOST_WORDS = 100;
/** Characters of a page that are searched for words. */
const MOST_MARKUP = 5000;

/** The beginning of a page as a reader sees it: its title, without markup. */
function firstWords(text: string): string {
  const visible = text
    .slice(0, MOST_MARKUP)
    .replace(/<(script|style)\b[\s\S]*?(<\/\1\s*>|$)/gi, ' ')
    .replace(/<[^>]*(>|$)/g, ' ');
  return printable(visible);
}

function printable(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return line.length > MOST_WORDS ? `${line.slice(0, MOST_WORDS).trimEnd()}...` : line;
}

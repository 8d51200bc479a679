import { brokenOf, isUnseen } from '../../certification/index.js';
import { checkReport, type Exchange, headlineOf, paintedText } from '../../conformance/index.js';
import { counted, consoleLine, visibleJson } from '../../common/index.js';
import type { ResultFiles } from '../result-files.js';
import type { Terminal } from '../terminal.js';
import type { Injector } from './inject/injector.js';
import type { TrafficEvent } from './check/events.js';
import type { ProxyOutcome } from './outcome.js';

/** What a proxy tells while it runs, and at its end. */
export interface ProxyOutput {
  ready(url: string, target: string): void;
  readonly tell: (event: TrafficEvent) => void;
  summarize(outcome: ProxyOutcome, injector: Injector | undefined): void;
}

const [RED, GREEN, YELLOW] = [31, 32, 33];

/** Lines for people: one for each new finding. */
export function terminalOutput({ line, colour }: Pick<ResultFiles, 'line' | 'colour'>): ProxyOutput {
  const paint = (text: string, number: number): string => (colour ? paintedText(text, number) : text);
  const say = (word: string, number: number, text: string): void => line(`${paint(word, number)} ${consoleLine(text)}`);
  return {
    ready(url, target) {
      line(url);
      line(consoleLine(`passes everything on to ${target} and checks it; press Ctrl-C for the summary`));
    },
    tell(event) {
      if (event.type !== 'finding') return;
      if (event.side === 'client') {
        const { id, message, evidence } = event.breach;
        say('FAIL', RED, `client ${id}: ${message} (${shownIn(evidence) ?? 'no request'})`);
      } else {
        const { result } = event;
        const where = [
          ...(result.operations ?? []),
          ...(result.shownBy === undefined ? [] : [shownIn([result.shownBy])]),
        ];
        const isFail = result.verdict === 'fail';
        say(
          isFail ? 'FAIL' : 'WARN',
          isFail ? RED : YELLOW,
          `deployment ${result.id}: ${headlineOf(result)} (${where.join(', ')})`,
        );
      }
    },
    summarize(outcome, injector) {
      for (const text of summaryOf(outcome, injector)) line(consoleLine(text));
      line(paint(consoleLine(outcome.message), outcome.exitCode === 0 ? GREEN : RED));
    },
  };
}

/** The exchanges that show a finding, by the ids that the reports have. */
function shownIn(ids: readonly string[]): string | undefined {
  return ids.length === 0 ? undefined : `${ids.length === 1 ? 'exchange' : 'exchanges'} ${ids.join(', ')}`;
}

function summaryOf(outcome: ProxyOutcome, injector: Injector | undefined): string[] {
  const { deployment, client, traffic } = outcome;
  const { causes } = checkReport({ report: deployment, exchanges: new Map(), version: '' });
  const broken = brokenOf(client);
  const number = (verdict: string): number => client.filter((one) => one.verdict === verdict).length;
  const unseen = client.filter(isUnseen).length;
  const { judged, observable } = deployment.coverage;
  return [
    '',
    ...causes.map(({ verdict, first, shared }) => {
      const known = first.known ? ' (known)' : '';
      return `deployment: ${verdict} ${first.id}${known}: ${shared ?? first.headline}`;
    }),
    ...broken.map(({ id, message = '', breaches = 1, known }) => {
      const times = breaches > 1 ? ` (${breaches} times)` : '';
      return `client: fail ${id}${known ? ' (known)' : ''}: ${message}${times}`;
    }),
    ...(causes.length + broken.length > 0 ? [''] : []),
    `deployment: ${judged} of ${observable} observable rules evaluated, ${counted(causes.length, 'finding')}`,
    `client: ${counted(number('fail'), 'obligation')} violated, ${number('pass')} satisfied, ${unseen} not seen`,
    ...senderLines(outcome),
    ...notesOf(outcome, injector),
    `${counted(traffic.exchanges, 'exchange')} passed`,
  ];
}

const MOST_AGENTS = 5;

/** Who has sent what passed, if that was more than one, and what fails nothing for that reason. */
function senderLines({ client, traffic: { senders } }: ProxyOutcome): string[] {
  const { tests, worlds, userAgents } = senders;
  const more = userAgents.length - MOST_AGENTS;
  const agents = [...userAgents.slice(0, MOST_AGENTS), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const parts = [
    ...(tests > 1 ? [counted(tests, 'test')] : []),
    ...(worlds > 1 ? [counted(worlds, 'world')] : []),
    ...(userAgents.length > 1 ? [`${userAgents.length} user agents (${agents})`] : []),
  ];
  const noted = (id: string, note: { message: string; times: number; evidence: readonly string[] }, why: string) =>
    `client: note ${id}: ${note.message} (${why}; ${shownIn(note.evidence)})`;
  return [
    ...client.flatMap(({ id, doubtful, deliberate }) => [
      ...(doubtful ? [noted(id, doubtful, 'another process may have sent it, so it does not count')] : []),
      ...(deliberate ? [noted(id, deliberate, 'a test seems to have sent it on purpose, so it does not count')] : []),
    ]),
    ...(parts.length > 0 ? [`client: calls of ${parts.join(', ')}; a repeat counts only within one of them`] : []),
  ];
}

/** What limits what was found. */
function notesOf({ traffic, dropped, deployment }: ProxyOutcome, injector: Injector | undefined): string[] {
  const { missed, unread, unrecorded, withoutBody, unreachable, unanswered } = traffic;
  const exchanges = (number: number): string => counted(number, 'exchange is', 'exchanges are');
  const injected = [...(injector?.triggered ?? [])].map(([id, times]) => `${id} ${times}`);
  const spared = [...(injector?.spared ?? [])].map(([permission, times]) => `${times} of ${permission}`);
  return [
    ...(injected.length > 0 ? [`injected: ${injected.join(', ')}`] : []),
    ...(spared.length > 0 ? [`not injected before writes, which needs --allow: ${spared.join(', ')}`] : []),
    ...(unreachable > 0 ? [`the target was not reached by ${counted(unreachable, 'request')}`] : []),
    ...(unanswered > unreachable
      ? [`the target did not answer ${counted(unanswered - unreachable, 'request')} that it got`]
      : []),
    ...(missed > 0
      ? [`${counted(missed, 'exchange was', 'exchanges were')} not evaluated: too many came at once`]
      : []),
    ...(unread > 0 ? [`${counted(unread, 'answer')} could not be read, and so not checked`] : []),
    ...(unrecorded > 0 ? [`${exchanges(unrecorded)} missing in the recording`] : []),
    ...(withoutBody > 0 ? [`${exchanges(withoutBody)} without a body in the recording`] : []),
    ...(dropped > 0
      ? [`${counted(dropped, 'exchange')} fell out of the window: evaluated, but no longer compared or kept (window)`]
      : []),
    ...(deployment.unjudged ?? [])
      .slice(0, 10)
      .map(({ method, url, why }) => `not evaluated: ${method} ${url}: ${why}`),
  ];
}

/** Events as lines of JSON. */
export function jsonOutput({ out }: Terminal): ProxyOutput {
  const write = (value: object): void => out(visibleJson(value));
  return {
    ready: (url, target) => write({ event: 'ready', baseUrl: url, target }),
    tell(event) {
      if (event.type === 'exchange') return write(exchangeEvent(event.exchange));
      if (event.side === 'client') return write({ event: 'finding', side: 'client', verdict: 'fail', ...event.breach });
      const {
        id,
        verdict,
        severity,
        message,
        expected,
        actual,
        at,
        operations,
        shownBy,
        against,
        exchanges,
        statement,
      } = event.result;
      const where = { at, operations, shownBy, against, evidence: exchanges.slice(0, 20) };
      const values = { message, expected, actual };
      write({ event: 'finding', side: 'deployment', verdict, id, severity, statement, ...values, ...where });
    },
    summarize({ exitCode, message, deployment, client, traffic, dropped }, injector) {
      const verdicts = (verdict: string): string[] =>
        client.filter((one) => one.verdict === verdict).map(({ id }) => id);
      const injected = Object.fromEntries(injector?.triggered ?? []);
      const { counts, coverage, verdict } = deployment;
      const sides = {
        deployment: { verdict, counts, judged: coverage.judged, observable: coverage.observable },
        client: { fail: verdicts('fail'), pass: verdicts('pass'), 'not-seen': verdicts('not-seen') },
      };
      write({ event: 'summary', exitCode, message, ...sides, traffic: { ...traffic, dropped, injected } });
    },
  };
}

function exchangeEvent({ id, operation, startedAt, durationMs, request, response, failure }: Exchange): object {
  const { method, url } = request;
  return {
    event: 'exchange',
    id,
    at: startedAt,
    method,
    url,
    operation,
    status: response?.status ?? 0,
    durationMs,
    failure,
  };
}

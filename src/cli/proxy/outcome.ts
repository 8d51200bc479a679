import { type KnownObligation, type ObligationResult, readKnownObligations } from '../../certification/index.js';
import {
  type ExitCode,
  type KnownFinding,
  MAX_ERRORS,
  readKnown,
  type Report,
  severities,
  type Severity,
} from '../../conformance/index.js';
import type { Senders } from './check/overheard.js';
import { staleEntries, isObject, counted } from '../../common/index.js';
import { obligations } from '../../contract/index.js';

/** An obligation as a report shows it. */
export interface ClientResult extends ObligationResult {
  readonly known?: readonly KnownObligation[];
}

/** What passed by. */
export interface TrafficCounts {
  readonly baseUrl: string;
  readonly exchanges: number;
  readonly unreachable: number;
  /** Requests without a whole answer of the target, those included that did not reach it. */
  readonly unanswered: number;
  /** Exchanges that were not evaluated, since too many came at once. */
  readonly missed: number;
  /** Answers that could not be evaluated: too long, in an encoding that cannot be read, or without room. */
  readonly unread: number;
  /** Exchanges that are not in the recording, and those that are in it without a body, for the same reason. */
  readonly unrecorded: number;
  readonly withoutBody: number;
  readonly injected: number;
  /** Who has sent it, as far as that can be told. */
  readonly senders: Senders;
}

/** What a proxy has found on both sides. */
export interface ProxyOutcome {
  readonly exitCode: ExitCode;
  /** Why, in one sentence. */
  readonly message: string;
  /** What `check` says of the deployment. */
  readonly deployment: Report;
  readonly client: readonly ClientResult[];
  /** Obligations of the baseline that no longer fail. */
  readonly stale: readonly string[];
  readonly traffic: TrafficCounts;
  /** Exchanges that were too old to be compared with the latest ones. */
  readonly dropped: number;
}

interface BothSides extends Omit<ProxyOutcome, 'exitCode' | 'message' | 'deployment'> {
  readonly report: Report;
  readonly failOn: Severity | undefined;
}

export function outcomeOf(sides: BothSides): ProxyOutcome {
  const { report, client, stale, traffic, dropped } = sides;
  return { ...verdictOn(sides), deployment: report, client, stale, traffic, dropped };
}

function verdictOn({
  report,
  client,
  stale,
  traffic,
  failOn = 'minor',
}: BothSides): Pick<ProxyOutcome, 'exitCode' | 'message'> {
  const { exchanges, unreachable, unanswered } = traffic;
  if (exchanges > 0 && unanswered === exchanges) {
    const message =
      unreachable === exchanges
        ? `The target was not reached by any of ${counted(exchanges, 'request')}.`
        : `The target answered none of ${counted(exchanges, 'request')}.`;
    return { exitCode: 3, message };
  }
  const line = severities.indexOf(failOn);
  const broken = client.filter(
    (one) => one.verdict === 'fail' && !one.known && severities.indexOf(one.severity) <= line,
  );
  const parts = [
    ...(report.exitCode === 1 ? [`deployment: ${report.message}`] : []),
    ...(broken.length > 0 ? [`client: ${counted(broken.length, 'obligation is', 'obligations are')} violated.`] : []),
    ...(stale.length > 0 ? [`client: ${staleEntries(stale.length)}.`] : []),
  ];
  if (parts.length > 0) return { exitCode: 1, message: sentence(parts.join(' ')) };
  const unsure = unsureOf(traffic);
  if (unsure !== undefined) return { exitCode: 4, message: unsure };
  const seen = client.filter(({ verdict }) => verdict !== 'not-seen').length;
  const { judged } = report.coverage;
  if (exchanges === 0) return { exitCode: 4, message: 'No request came.' };
  if (judged + seen === 0) return { exitCode: 4, message: 'Nothing was evaluated.' };
  if (report.exitCode === 4 && judged > 0) return { exitCode: 4, message: report.message };
  const { injected } = traffic;
  const beside = injected === 0 ? '' : ` besides what was injected into ${counted(injected, 'exchange')}`;
  return {
    exitCode: 0,
    message: `Nothing is wrong${beside}: ${counted(judged, 'rule was', 'rules were')} evaluated, and ${counted(seen, 'obligation')}.`,
  };
}

/** Why too little is known of the target, whatever else was found to be right; undefined if enough is. */
function unsureOf({ exchanges, unanswered, unread, missed }: TrafficCounts): string | undefined {
  // A request without an answer may have been lost, too.
  const unknown = Math.min(unanswered + unread + missed, exchanges);
  // One is an accident, however few requests there are, unless it is all that came.
  if (unknown === 0 || (unknown === 1 && exchanges > 1) || (unknown / exchanges) * 100 <= MAX_ERRORS) return undefined;
  const all = counted(exchanges, 'request');
  if (unknown === unanswered) return `The target did not answer ${unanswered} of ${all} (more than ${MAX_ERRORS}%).`;
  const parts = [
    ...(unanswered > 0 ? [`${unanswered} without an answer`] : []),
    ...(unread > 0 ? [`${unread} with an answer that could not be read`] : []),
    ...(missed > 0 ? [`${missed} that came while too many waited`] : []),
  ];
  return `${unknown} of ${all} could not be checked (more than ${MAX_ERRORS}%): ${parts.join(', ')}.`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The known findings of both sides. */
export interface KnownOfBoth {
  readonly rules: readonly KnownFinding[];
  readonly obligations: readonly KnownObligation[];
}

const ids = new Set<unknown>(obligations.map(({ id }) => id));

/**
 * Reads a baseline whose entries are rules, as for `check`, or obligations, as for `certify`.
 *
 * @throws {Error} that names the first invalid entry.
 */
export function readKnownOfBoth(value: unknown): KnownOfBoth {
  const known = isObject(value) ? value['known'] : undefined;
  if (!Array.isArray(known)) return { rules: readKnown(value), obligations: [] };
  const isObligation = (entry: unknown): boolean => isObject(entry) && ids.has(entry['id']);
  return {
    rules: readKnown({ known: known.filter((entry) => !isObligation(entry)) }),
    obligations: readKnownObligations({ known: known.filter(isObligation) }),
  };
}

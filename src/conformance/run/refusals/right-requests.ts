import type { OperationId } from '../../../contract/index.js';
import { type AskedFor, isObject, type Reply } from '../../client/exchange.js';
import { creations } from '../../client/operations.js';
import { Finding, unlessInconclusive } from '../../client/outcome.js';
import { effectOf } from '../../client/permission.js';
import { operationOf } from '../../client/request.js';
import type { Session } from '../../client/session.js';
import { bodyFor } from '../../journeys/bookings.js';
import { freshTeeTime } from '../../journeys/material.js';
import { outcomeOf, refusal } from '../../rules/expect.js';
import type { Origin } from '../fields.js';
import { itemsOf, kindsOf } from './request-kinds.js';

/** A right request and its answer. */
type RightReply = Reply & { readonly asked: AskedFor };

/** Right requests of one kind, none of which was accepted. */
interface RefusedKind {
  /** What they have in common, in words; empty for all requests of the operation. */
  readonly kind: string;
  readonly replies: readonly RightReply[];
}

/** Statuses of a service that is busy or away; the health of the run counts them. */
const away: readonly number[] = [429, 502, 503, 504];
/** Statuses that refuse the caller, and the one of a search that finds nothing: neither is about a kind of request. */
const notAboutKind: readonly number[] = [401, 403, 404];
/** Statuses of a refresh that are not about the token. */
const isAboutPath = (status: number): boolean => status === 405 || status >= 500;
/** Payments have a method and a condition that are open; their own rules judge refusals. */
const judgedElsewhere: readonly string[] = ['confirmPayment', 'confirmBulkPayment'];
/** Refusals that make a finding: on different tee times, if they are of bookings. */
const LEAST = 2;

/**
 * Fails if the deployment refuses every right request of an operation, or of a kind of them such as bookings as a list.
 * Right requests are built from what the deployment itself has offered.
 *
 * @throws {Finding} with the first words of the deployment.
 */
export async function expectAccepted(session: Session, origin: Origin): Promise<void> {
  const { run } = session;
  if (origin === 'callback' || run.recorded || judgedElsewhere.includes(operationOf(origin).name)) return;
  const first = refusedKind(session, origin);
  if (!first || !(await isPersistent(session, origin, first).catch(unlessInconclusive))) return;
  const found = refusedKind(session, origin);
  if (!found) return;
  const { kind, replies } = found;
  const [shown] = replies;
  for (const { id } of replies.slice(0, 5)) session.exchanges.add(id);
  const { method, path } = operationOf(origin);
  const what = `${method} ${path} refuses every right request${kind === '' ? '' : ` ${kind}`} (${replies.length} of ${replies.length}).`;
  throw new Finding(what, 'success', outcomeOf(shown!), refusal(shown!));
}

/** The widest kind of right requests that were all refused. */
function refusedKind({ run }: Session, origin: OperationId): RefusedKind | undefined {
  const all = rightReplies(run.transport.replies).filter(({ operation }) => operation === origin);
  if (all.length === 0) return undefined;
  const refused = all.filter(({ ok }) => !ok);
  if (refused.length === all.length) {
    const isLawful = ({ status }: Reply): boolean => isOfCaller(run.transport.replies, origin, status);
    return refused.some(isLawful) ? undefined : { kind: '', replies: refused };
  }
  const kinds = new Set(refused.flatMap((reply) => kindsOf(origin, reply.asked)));
  const found = [...kinds]
    .map((kind): RefusedKind => ({ kind, replies: all.filter(({ asked }) => kindsOf(origin, asked).includes(kind)) }))
    .filter(({ replies }) => replies.every(({ ok, status }) => !ok && !notAboutKind.includes(status)));
  return found.toSorted((one, other) => other.replies.length - one.replies.length)[0];
}

function rightReplies(replies: readonly Reply[]): readonly RightReply[] {
  return replies.filter(
    (reply): reply is RightReply =>
      reply.asked?.isRight === true &&
      !away.includes(reply.status) &&
      (reply.ok || reply.operation !== 'refreshToken' || isAboutPath(reply.status)),
  );
}

/**
 * Whether a refusal may be about the caller: it has the status of one, and the version has accepted no request. Which
 * versions accept which credentials is an open question.
 */
function isOfCaller(replies: readonly Reply[], origin: OperationId, status: number): boolean {
  const { version } = operationOf(origin);
  const isOfVersion = ({ operation }: Reply): boolean =>
    operation !== undefined && operationOf(operation).version === version;
  if (replies.some((reply) => reply.ok && reply.asked?.isRight && isOfVersion(reply))) return false;
  const toNobody = replies.filter(({ asked, operation, ok }) => !ok && asked?.caller === 'nobody' && isRead(operation));
  return [401, 403, ...toNobody.map((reply) => reply.status)].includes(status);
}

function isRead(operation: OperationId | undefined): boolean {
  if (operation === undefined) return false;
  const { method, path } = operationOf(operation);
  return effectOf(method, path) === 'read';
}

/** Whether the refusals are many enough, and of different material. A read is sent again. */
async function isPersistent(session: Session, origin: OperationId, { replies }: RefusedKind): Promise<boolean> {
  if (origin === 'refreshToken') return true;
  if (!isRead(origin)) {
    const searches = operationOf(origin).name === 'searchTeeTimes';
    return searches ? isOfSearch(session, replies) : isMany(replies) && acceptsOthers(session, replies);
  }
  if (replies.length >= LEAST) return true;
  const { params } = replies[0]!.asked;
  return !(await session.send({ operation: origin, params: params as Readonly<Record<string, string>> })).ok;
}

/** Whether searches are refused as such. A deployment may refuse an address that it cannot reach. */
function isOfSearch({ run }: Session, replies: readonly RightReply[]): boolean {
  return (
    replies.length >= LEAST && (run.receiver?.reachable === true || replies.every(({ status }) => isAboutPath(status)))
  );
}

const teeTimeOf = ({ asked: { body } }: RightReply): unknown => {
  const [item] = itemsOf(body);
  return isObject(item) ? item['teeId'] : undefined;
};

/** Whether bookings of different tee times were refused. */
const isMany = (replies: readonly RightReply[]): boolean => new Set(replies.map(teeTimeOf)).size >= LEAST;

const creates = ({ operation }: Reply): boolean => /\.create(Bulk)?Booking$/.test(operation ?? '');
const order = ({ id }: Reply): number => Number(id.slice(1));

/**
 * Whether other bookings are accepted after some that were refused. If none is, the deployment may have a limit of its
 * own and refuse every further booking. If none ever was, it accepts no bookings at all.
 */
async function acceptsOthers(session: Session, refused: readonly RightReply[]): Promise<boolean> {
  const { replies } = session.run.transport;
  // A probe that was accepted shows as well that there is no limit.
  const latest = replies.findLast((reply) => reply.ok && creates(reply));
  if (!latest || isMany(refused.filter((reply) => order(reply) < order(latest)))) return true;
  const last = rightReplies(replies).findLast((reply) => reply.ok && creates(reply));
  if (!last) return false;
  const { sheet, teeTime } = await freshTeeTime(session);
  const operation = last.operation!;
  const creation = creations.find((one) => one.operation === operation)!;
  const item = bodyFor(session, creation, { facilityId: sheet.facilityId, teeTime });
  const { body: taken } = last.asked;
  const body = Array.isArray(taken) ? [item] : isObject(taken) && 'details' in taken ? { details: [item] } : item;
  return (await session.send({ operation, body })).ok;
}

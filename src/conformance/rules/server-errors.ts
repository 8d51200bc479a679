import type { Reply } from '../client/exchange.js';
import { Finding } from '../client/outcome.js';
import { operationOf } from '../../contract/index.js';
import { countries } from '../journeys/connected-facilities.js';
import { outcomeOf, refusal } from './expect.js';
import { defineRule, type RuleContext, type RuleSpec } from './rule.js';

/** Statuses of a service that is away for a moment, or of the gateway in front of it; the health of the run counts them. */
const away: readonly number[] = [502, 503, 504];
/** An operation that answers so often, and in no other way, is not away for a moment. */
const LEAST = 3;
const NOT_IMPLEMENTED = 501;

/** Whether 501 may refuse the method: it is in no contract, or it is open which methods a payment has. */
const hasOpenMethod = ({ operation }: Reply): boolean =>
  operation === undefined || operationOf(operation).name.startsWith('confirm');

const isFault = (reply: Reply): boolean =>
  reply.status >= 500 &&
  !away.includes(reply.status) &&
  !(reply.status === NOT_IMPLEMENTED && hasOpenMethod(reply)) &&
  reply.asked?.breaking !== 'limits.body-size';

/** The answers of operations that are always away, although others are there. */
function persistent(replies: readonly Reply[]): readonly Reply[] {
  const isAway = ({ status }: Reply): boolean => away.includes(status);
  if (replies.every(isAway)) return [];
  const names = new Set(replies.filter(isAway).flatMap(({ operation }) => (operation ? [operation] : [])));
  return [...names].flatMap((name) => {
    const own = replies.filter(({ operation }) => operation === name);
    return own.length >= LEAST && own.every(isAway) ? own : [];
  });
}

async function checkStatuses({ session, expect }: RuleContext): Promise<void> {
  const { replies } = session.run.transport;
  if (replies.length === 0) await countries(session);
  const faults = [...replies.filter(isFault), ...persistent(replies)];
  const [first] = faults;
  if (first) {
    for (const { id } of faults) session.exchanges.add(id);
    const times = faults.length > 1 ? ` (${faults.length} server errors in all)` : '';
    throw new Finding(`${first.what} returns ${first.status}${times}.`, 'no server error', outcomeOf(first), {
      ...refusal(first),
      operations: [...new Set(faults.flatMap(({ operation }) => (operation ? [operation] : [])))],
    });
  }
  for (const { id } of replies.slice(0, 5)) session.exchanges.add(id);
  expect.that(true, 'no server error');
}

/** Checks all answers of the run, so it comes after every other rule. */
export const serverErrorRules: readonly RuleSpec[] = [
  defineRule({ id: 'errors.server-error', phase: 'evidence', run: checkStatuses }),
];

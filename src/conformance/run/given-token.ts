import { NoDeployment } from '../client/outcome.js';
import type { Transport } from '../client/transport.js';
import type { RuleResult } from '../client/types.js';

/** Statuses of a refresh that are not about the token: its own rules report them. */
const isAboutPath = (status: number): boolean => status === 404 || status === 405 || status >= 500;

/** What to do about a token whose successor nobody has seen. */
export const INTERRUPTED =
  'An earlier run ended while it exchanged this token, so the deployment has probably spent it. ' +
  'Ask for a new token, and pass it with --refresh-token.';

const needsMore = ({ id, verdict }: Pick<RuleResult, 'id' | 'verdict'>): boolean =>
  id === 'tokens.refresh.without-access' && verdict === 'fail';

/**
 * Ends a run whose refresh token was refused, even if the deployment accepts Basic credentials: rules that need a token
 * would say nothing.
 *
 * @param results What was evaluated so far. A rule may find that a refresh needs Basic credentials too.
 * @param isLast Whether all rules were evaluated.
 * @throws {NoDeployment}
 */
export function expectGivenToken(transport: Transport, results: readonly RuleResult[], isLast: boolean): void {
  const { first } = transport.channels;
  const refused = first.latest ? undefined : first.refusal;
  // An answer without a token set took the token; the rules of the answer report it.
  if (!refused || refused.ok || isAboutPath(refused.status)) return;
  if (results.some(needsMore)) return;
  if (!isLast && first.options.basic && transport.allows('tokens')) return;
  const advice = first.wasInterrupted
    ? INTERRUPTED
    : 'Pass the newest token, or remove the token file if the deployment was reset.';
  const message = `The refresh token (--refresh-token) is refused: ${refused.what} returns ${refused.status}. ${advice}`;
  throw new NoDeployment('refused', message);
}

import { NoDeployment } from '../client/outcome.js';
import type { Transport } from '../client/transport.js';

/** Statuses of a refresh that are not about the token: its own rules report them. */
const isAboutPath = (status: number): boolean => status === 404 || status === 405 || status >= 500;

/**
 * Ends a run whose refresh token was refused, even if the deployment accepts Basic credentials: rules that need a token
 * would say nothing.
 *
 * @param isLast Whether all rules were judged. Before that, a rule may find that a refresh needs Basic credentials too.
 * @throws {NoDeployment}
 */
export function expectGivenToken(transport: Transport, isLast: boolean): void {
  const { first } = transport.channels;
  const refused = first.latest ? undefined : first.refusal;
  if (!refused || isAboutPath(refused.status)) return;
  if (!isLast && first.options.basic && transport.allows('tokens')) return;
  const message = `The refresh token (--refresh-token) is refused: ${refused.what} returns ${refused.status}. Pass the newest token, or remove the token file if the deployment was reset.`;
  throw new NoDeployment('refused', message);
}

import type { Channel } from '../model/world.js';
import { alternatives, createUnique, misfit } from '../../common/index.js';
import type { TokensState } from './tokens.js';

/**
 * Checks tokens, which are valid by their schema, against these channels.
 *
 * @throws {Misfit} with the first invalid field and what would fit.
 */
export function checkTokens(state: TokensState, path: string, channels: readonly Channel[]): void {
  const names = channels.map(({ name }) => name);
  const checkChannel = (name: string, at: string): void => {
    if (!names.includes(name)) throw misfit(at, alternatives(names), name, names);
  };
  const unique = createUnique();
  for (const list of ['refreshTokens', 'accessTokens'] as const) {
    for (const [index, { token, channel }] of state[list].entries()) {
      checkChannel(channel, `${path}.${list}[${index}].channel`);
      unique(token, `${path}.${list}[${index}].token`);
    }
  }
  const uniqueRevoked = createUnique();
  for (const [index, channel] of state.revoked.entries()) {
    checkChannel(channel, `${path}.revoked[${index}]`);
    uniqueRevoked(channel, `${path}.revoked[${index}]`);
  }
  const families = state.families.map(({ channel }) => channel);
  if (families.join() !== names.join()) {
    throw misfit(`${path}.families`, `a list with one entry for each channel (${names.join(', ')})`, families);
  }
  // A smaller number would issue existing tokens again. Each channel starts with one token.
  const least = state.refreshTokens.length + state.accessTokens.length - names.length;
  if (state.issued < least) throw misfit(`${path}.issued`, `at least ${least}, the number of tokens`, state.issued);
}

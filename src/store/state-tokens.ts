import type { Channel } from '../domain/world.js';
import {
  createUnique,
  epoch,
  flag,
  list,
  misfit,
  oneOf,
  orNull,
  readList,
  readRow,
  text,
  whole,
} from './state-fields.js';
import type { AccessState, FamilyState, TokensState } from './tokens.js';

/**
 * Reads the tokens of these channels.
 *
 * @throws {StateMisfit} naming the first field that does not fit, and what would.
 */
export function readTokens(value: unknown, path: string, channels: readonly Channel[]): TokensState {
  const lists = { families: list, refreshTokens: list, accessTokens: list, revoked: list };
  const row = readRow(value, path, { issued: whole(0), ...lists });
  const names = channels.map(({ name }) => name);
  const channel = oneOf(...names);
  const tokens = createUnique();
  const readToken = <T>(name: string, fields: Parameters<typeof readRow>[2]): T[] =>
    readList(row[name], `${path}.${name}`, (item, at) => {
      const read = readRow(item, at, { token: text, channel, ...fields });
      tokens(read['token'] as string, `${at}.token`);
      return { ...read } as T;
    });
  const refreshTokens = readToken<TokensState['refreshTokens'][number]>('refreshTokens', {});
  const accessTokens = readToken<AccessState>('accessTokens', { expiresAt: epoch, revoked: flag });
  const revoked = createUnique();
  return {
    issued: readIssued(row['issued'] as number, path, refreshTokens.length + accessTokens.length - names.length),
    families: readFamilies(row['families'], `${path}.families`, names),
    refreshTokens,
    accessTokens,
    revoked: readList(row['revoked'], `${path}.revoked`, (item, at) => {
      if (!channel.fits(item)) throw misfit(at, channel.due, item);
      revoked(item as string, at);
      return item as string;
    }),
  };
}

/** Fewer than there are would make tokens anew that are there; each channel was handed its first one. */
function readIssued(issued: number, path: string, least: number): number {
  if (issued >= least) return issued;
  throw misfit(`${path}.issued`, `at least ${least}, as many as there are`, issued);
}

/** One for each channel, in their order. */
function readFamilies(value: unknown, path: string, names: readonly string[]): FamilyState[] {
  const families = readList(value, path, (item, at) => {
    const row = readRow(item, at, { channel: oneOf(...names), current: orNull(text) });
    return { ...row } as unknown as FamilyState;
  });
  if (families.map(({ channel }) => channel).join() === names.join()) return families;
  throw misfit(path, `a list of one for each channel, ${names.join(', ')}`, value);
}

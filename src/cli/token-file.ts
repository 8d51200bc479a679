import { existsSync } from 'node:fs';
import { defined } from '../common/index.js';
import type { TokenJournal, TokenPair, TokenState } from '../conformance/index.js';
import { realFileOf, removeLeftOvers, replaceFile, SECRET_MODE } from './atomic-file.js';
import { readText } from './text-file.js';
import { UsageError } from './usage-error.js';

/** The content of the file. It uses the names of the service, so that other programs can read it. */
const names = [
  // The first token of this family. A different first token starts a new family.
  'origin',
  'refresh_token',
  // A token whose refresh was started.
  'pending',
  'access_token',
  // ISO 8601.
  'expires_at',
] as const;

/** Bytes of a file with three tokens, and more than any of them needs. */
const LARGEST = 65_536;

type Stored = { readonly [Name in (typeof names)[number]]?: string };

/**
 * Opens the file with the tokens of a channel. Each change replaces the file atomically (see `atomic-file.ts`).
 * A refresh token in `given` is used only if the file does not know it yet.
 *
 * @throws {UsageError} if the file cannot be read, if it is another file, or if neither the file nor `given` has a token.
 */
export async function openTokenFile(path: string, given?: string): Promise<TokenJournal> {
  const file = await realFileOf(path).catch((error: Error) => {
    throw failure(path, error.message);
  });
  const found = await readStored(path, file);
  await removeLeftOvers(file);
  const fresh =
    given !== undefined && given !== found.origin && given !== found.refresh_token && given !== found.pending;
  let stored: Stored = fresh ? { origin: given, refresh_token: given } : found;
  if (stored.refresh_token === undefined && stored.pending === undefined) {
    throw failure(path, 'it holds no token. Set the first one with --refresh-token.');
  }
  const save = async (next: Stored): Promise<void> => {
    try {
      await replaceFile(file, `${JSON.stringify(next, null, 2)}\n`, SECRET_MODE);
    } catch (error) {
      throw failure(path, `it cannot be written (${(error as NodeJS.ErrnoException).code}).`);
    }
    stored = next;
  };
  return {
    read: async () => stateOf(stored),
    intent: (pending) => save({ ...stored, pending }),
    result: ({ refreshToken, accessToken, expiresIn, at }: TokenPair) =>
      save({
        ...defined({ origin: stored.origin }),
        refresh_token: refreshToken,
        access_token: accessToken,
        expires_at: new Date(at + expiresIn * 1000).toISOString(),
      }),
  };
}

function stateOf({ refresh_token, pending, access_token, expires_at }: Stored): TokenState {
  const expiresAt = expires_at === undefined ? undefined : Date.parse(expires_at);
  return defined({ refreshToken: refresh_token, pending, accessToken: access_token, expiresAt });
}

async function readStored(path: string, file: string): Promise<Stored> {
  if (!existsSync(file)) return {};
  const bytes = await readText(file, LARGEST, (why) => failure(path, why));
  try {
    const value: unknown = JSON.parse(bytes.toString());
    if (isStored(value)) return trimmed(value);
  } catch {
    // Reported below without the parser's message, which quotes the text and so perhaps a token.
  }
  throw failure(path, 'it is not a token file. Teebox does not overwrite other files; name a new file instead.');
}

/** Any other member, even next to tokens, would be lost when the file is replaced. */
function isStored(value: unknown): value is Stored {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const fits = ([name, one]: [string, unknown]): boolean =>
    names.some((known) => known === name) && typeof one === 'string' && one.trim() !== '';
  return Object.entries(value).every(fits) && ('refresh_token' in value || 'pending' in value);
}

/** People write the first token by hand, and paste a line break or blanks with it. */
function trimmed(stored: Stored): Stored {
  return Object.fromEntries(Object.entries(stored).map(([name, text]) => [name, text.trim()]));
}

function failure(path: string, why: string): UsageError {
  return new UsageError(`Failed to use token file ${path}: ${why}`);
}

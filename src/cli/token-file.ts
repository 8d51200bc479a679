import { readFile } from 'node:fs/promises';
import type { TokenJournal, TokenPair, TokenState } from '../conformance/index.js';
import { realFileOf, removeLeftOvers, replaceFile, SECRET_MODE } from './atomic-file.js';
import { UsageError } from './usage-error.js';

/** The content of the file. It uses the names of the service, so that other programs can read it. */
interface Stored {
  /** The first token of this family. A different first token starts a new family. */
  readonly origin?: string;
  readonly refresh_token?: string;
  /** A token whose refresh was started. */
  readonly pending?: string;
  readonly access_token?: string;
  /** ISO 8601. */
  readonly expires_at?: string;
}

const names: readonly string[] = [
  'origin',
  'refresh_token',
  'pending',
  'access_token',
  'expires_at',
] satisfies (keyof Stored)[];

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
        ...(stored.origin === undefined ? {} : { origin: stored.origin }),
        refresh_token: refreshToken,
        access_token: accessToken,
        expires_at: new Date(at + expiresIn * 1000).toISOString(),
      }),
  };
}

function stateOf({ refresh_token, pending, access_token, expires_at }: Stored): TokenState {
  return {
    ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
    ...(pending === undefined ? {} : { pending }),
    ...(access_token === undefined ? {} : { accessToken: access_token }),
    ...(expires_at === undefined ? {} : { expiresAt: Date.parse(expires_at) }),
  };
}

async function readStored(path: string, file: string): Promise<Stored> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    throw failure(path, `it cannot be read (${code}).`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isStored(value)) return value;
  } catch {
    // Reported below without the parser's message, which quotes the text and so perhaps a token.
  }
  throw failure(path, 'it is not a token file. Teebox does not overwrite other files; name a new file instead.');
}

/** Any other member, even next to tokens, would be lost when the file is replaced. */
function isStored(value: unknown): value is Stored {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const fits = ([name, one]: [string, unknown]): boolean =>
    names.includes(name) && typeof one === 'string' && one !== '';
  return Object.entries(value).every(fits) && ('refresh_token' in value || 'pending' in value);
}

function failure(path: string, why: string): UsageError {
  return new UsageError(`Failed to use token file ${path}: ${why}`);
}

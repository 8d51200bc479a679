import { readFile, realpath } from 'node:fs/promises';
import type { TokenJournal, TokenPair, TokenState } from '../conformance/credentials.js';
import { replaceFile } from './atomic-file.js';
import { UsageError } from './usage-error.js';

/** What the file holds; the names are those of the service, so that other programs can read it. */
interface Stored {
  /** The token that the line of tokens began with: one that differs is a new line. */
  readonly origin?: string;
  readonly refresh_token?: string;
  /** A token that was about to be spent. */
  readonly pending?: string;
  readonly access_token?: string;
  /** ISO 8601. */
  readonly expires_at?: string;
}

/** Only the owner reads it: whoever has the token is the channel. */
const MODE = 0o600;

/**
 * The tokens of a channel in a file, which is whole at every moment: each change is written beside it, forced to the
 * disk and renamed. A refresh token that is given on top counts when the file does not know it yet.
 *
 * @throws {UsageError} for a file that cannot be read, and one that holds no token when none is given.
 */
export async function openTokenFile(path: string, given?: string): Promise<TokenJournal> {
  // A rename would put a file in the place of a link.
  const file = await realpath(path).catch(() => path);
  const found = await readStored(path);
  const fresh =
    given !== undefined && given !== found.origin && given !== found.refresh_token && given !== found.pending;
  let stored: Stored = fresh ? { origin: given, refresh_token: given } : found;
  if (stored.refresh_token === undefined && stored.pending === undefined) {
    throw failure(path, 'it holds no token. Please give the first one with --refresh-token.');
  }
  const save = async (next: Stored): Promise<void> => {
    try {
      await replaceFile(file, `${JSON.stringify(next, null, 2)}\n`, MODE);
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

async function readStored(path: string): Promise<Stored> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    throw failure(path, `it cannot be read (${code}).`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string')) {
      return value as Stored;
    }
  } catch {
    // Told below, without the parser's words: they quote the text, which may be a token.
  }
  throw failure(path, 'it is no token file. A file of your own with a token in it is not overwritten.');
}

function failure(path: string, why: string): UsageError {
  return new UsageError(`Failed to use token file ${path}: ${why}`);
}

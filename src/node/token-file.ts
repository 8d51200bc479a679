import { readFile, realpath } from 'node:fs/promises';
import type { TokenJournal, TokenPair, TokenState } from '../conformance/client/credentials.js';
import { replaceFile } from './atomic-file.js';
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

/** Only the owner may read the file: whoever has the token can act as the channel. */
const MODE = 0o600;

/**
 * Opens the file with the tokens of a channel. Each change replaces the file atomically (see `atomic-file.ts`).
 * A refresh token in `given` is used only if the file does not know it yet.
 *
 * @throws {UsageError} if the file cannot be read, or if neither the file nor `given` has a token.
 */
export async function openTokenFile(path: string, given?: string): Promise<TokenJournal> {
  // A rename would replace a symbolic link with a file.
  const file = await realpath(path).catch(() => path);
  const found = await readStored(path);
  const fresh =
    given !== undefined && given !== found.origin && given !== found.refresh_token && given !== found.pending;
  let stored: Stored = fresh ? { origin: given, refresh_token: given } : found;
  if (stored.refresh_token === undefined && stored.pending === undefined) {
    throw failure(path, 'it holds no token. Set the first one with --refresh-token.');
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
    // Reported below without the parser's message, which quotes the text and so perhaps a token.
  }
  throw failure(path, 'it is not a token file. Teebox does not overwrite other files; name a new file instead.');
}

function failure(path: string, why: string): UsageError {
  return new UsageError(`Failed to use token file ${path}: ${why}`);
}

import { boundedText } from './bounded-text.js';
import type { Outbound } from './resolver.js';

/** What a host must show before callbacks may go there. */
export interface Challenge {
  readonly url: string;
  /** A line of the answer's body must be this. */
  readonly line: string;
}

const PATH = '/.well-known/teebox-callbacks';
const TIMEOUT = 10_000;
const MOST = 16_384;
const SIGNS = 40;

/**
 * The challenge for a host. Its line belongs to one world and host, so that nobody can use what another world's partner
 * shows. The request does not contain it, so that a host which repeats requests in its answers proves nothing.
 */
export async function challengeOf(host: string, world: string, secret: string): Promise<Challenge> {
  const bytes = new TextEncoder().encode(`teebox-callbacks\n${secret}\n${world}\n${host}`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { url: `https://${host}${PATH}`, line: `teebox-callbacks=${hex.slice(0, SIGNS)}` };
}

/** Why a host has not shown its line, as a sentence; null if it has. */
export async function whyNotShown({ url, line }: Challenge, send: Outbound): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT);
    const response = await send(url, { headers: { accept: 'text/plain' }, redirect: 'manual', signal });
    const text = await boundedText(response, MOST);
    if (response.status !== 200) return `${url} answers ${response.status}; it must answer 200, without a redirect.`;
    if (text.split('\n').some((one) => one.trim() === line)) return null;
    return `${url} answers without the line of this world.`;
  } catch (error) {
    const { name, message } = error as Error;
    if (name === 'TimeoutError') return `${url} did not answer within ${TIMEOUT / 1000} s.`;
    return `${url} cannot be read: ${message}.`;
  }
}

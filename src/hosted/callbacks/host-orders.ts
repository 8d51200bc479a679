import { sameHash } from '../operator/secrets.js';
import type { Challenge } from './challenge.js';
import type { VerifiedHost } from './host-book.js';
import type { HostedCallbacks } from './hosted-callbacks.js';

/** What somebody wants with the hosts of a world. */
export interface HostOrder {
  /** Null for the operator; otherwise the hash of the token that was given. */
  readonly by: string | null;
  readonly act: 'list' | 'verify' | 'remove';
  /** As `readHost` writes it. */
  readonly host?: string;
}

/** The answer of a world, as plain data: classes of errors are lost between objects. */
export type HostAnswer =
  | { readonly hosts: readonly VerifiedHost[] }
  | { readonly host: VerifiedHost }
  | { readonly removed: boolean }
  | { readonly denied: true }
  | { readonly status: number; readonly detail: string; readonly challenge?: Challenge };

/** Carries out an order of the operator, or of whoever has the token of the world. */
export async function answerHosts(
  callbacks: HostedCallbacks,
  { by, act, host = '' }: HostOrder,
  tokenHash: string,
): Promise<HostAnswer> {
  if (by !== null && !sameHash(by, tokenHash)) return { denied: true };
  if (act === 'list') return { hosts: callbacks.hosts };
  return act === 'remove' ? { removed: callbacks.remove(host) } : callbacks.verify(host);
}

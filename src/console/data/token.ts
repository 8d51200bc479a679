import { signal } from '@preact/signals';
import { baseUrl, mainUrl } from './base.js';

const KEY = 'teebox-token';

/** The admin token, which the tab keeps until it is closed, for this world and for others of its server. */
export const token = signal<string | undefined>(kept());

function kept(): string | undefined {
  try {
    return sessionStorage.getItem(`${KEY} ${baseUrl}`) ?? sessionStorage.getItem(`${KEY} ${mainUrl}`) ?? undefined;
  } catch {
    // A browser that keeps nothing asks again.
    return undefined;
  }
}

function keep(text: string): void {
  try {
    sessionStorage.setItem(`${KEY} ${baseUrl}`, text);
  } catch {
    // See above.
  }
}

/** Whether the token is one that a person gave on this page. */
let given = false;

/** The question for the token, while it is open: whether the last token was wrong. */
export const tokenQuestion = signal<{ readonly wrong: boolean } | undefined>(undefined);

let pending: Promise<void> | undefined;
let settle: { readonly resolve: () => void; readonly reject: (reason: Error) => void } | undefined;

/** Resolves when there is another token than `used`, which the server refused. */
export function askForToken(used: string | undefined): Promise<void> {
  if (token.value !== used) return Promise.resolve();
  pending ??= new Promise((resolve, reject) => {
    settle = { resolve, reject };
    tokenQuestion.value = { wrong: used !== undefined && given };
  });
  return pending;
}

export function giveToken(text: string): void {
  token.value = text;
  given = true;
  keep(text);
  close()?.resolve();
}

export function declineToken(): void {
  close()?.reject(new Error('This server requires its admin token. Reload the page to enter it.'));
}

function close(): typeof settle {
  const open = settle;
  pending = settle = tokenQuestion.value = undefined;
  return open;
}

import { signal } from '@preact/signals';

/** The admin token, in memory alone: closing or reloading the page forgets it. */
export const token = signal<string | undefined>(undefined);

/** The question for the token, while it is open: whether the last token was wrong. */
export const tokenQuestion = signal<{ readonly wrong: boolean } | undefined>(undefined);

let pending: Promise<void> | undefined;
let settle: { readonly resolve: () => void; readonly reject: (reason: Error) => void } | undefined;

/** Resolves when there is another token than `used`, which the server refused. */
export function askForToken(used: string | undefined): Promise<void> {
  if (token.value !== used) return Promise.resolve();
  pending ??= new Promise((resolve, reject) => {
    settle = { resolve, reject };
    tokenQuestion.value = { wrong: used !== undefined };
  });
  return pending;
}

export function giveToken(text: string): void {
  token.value = text;
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

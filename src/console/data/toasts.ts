import { signal } from '@preact/signals';
import { reasonOf } from './api.js';

export interface ToastMessage {
  readonly id: number;
  readonly tone: 'ok' | 'bad';
  readonly text: string;
}

const SHOWN_MS = { ok: 6000, bad: 15_000 };
const MOST = 4;
let last = 0;

/** The messages on the screen, oldest first. */
export const toasts = signal<readonly ToastMessage[]>([]);

/** Shows a message for some seconds, a failure for longer. The same message again is no second one. */
export function toast(text: string, tone: ToastMessage['tone'] = 'ok'): void {
  const id = ++last;
  const others = toasts.value.filter((one) => one.text !== text);
  toasts.value = [...others, { id, tone, text }].slice(-MOST);
  setTimeout(() => dismiss(id), SHOWN_MS[tone]);
}

/** Does something, and shows why it failed. Gives back whether it succeeded. */
export async function attempt(work: () => unknown): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    toast(reasonOf(error), 'bad');
    return false;
  }
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

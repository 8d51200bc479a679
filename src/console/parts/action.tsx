import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type AdminCommand, perform, reasonOf } from '../data/api.js';
import { toast } from '../data/toasts.js';
import { CopyCurl } from './copy.js';

/** Performs a call and says how it went. Gives back whether it succeeded. */
export async function act<Result>(
  command: AdminCommand<Result>,
  done: string | ((result: Result) => string),
): Promise<boolean> {
  try {
    const result = await perform(command);
    toast(typeof done === 'string' ? done : done(result));
    return true;
  } catch (error) {
    toast(reasonOf(error), 'bad');
    return false;
  }
}

/** A button that performs a call of the admin API, beside one that copies it as a command. */
export function ActionButton<Result>({
  command,
  done,
  then,
  kind = '',
  disabled = false,
  children,
}: {
  readonly command: AdminCommand<Result>;
  /** What the message says afterwards. */
  readonly done: string | ((result: Result) => string);
  readonly then?: () => unknown;
  readonly kind?: '' | 'primary' | 'danger';
  readonly disabled?: boolean;
  readonly children: ComponentChildren;
}) {
  const [busy, setBusy] = useState(false);
  const click = async () => {
    setBusy(true);
    const succeeded = await act(command, done);
    setBusy(false);
    if (succeeded) await then?.();
  };
  return (
    <span class="action">
      <button type="button" class={`button ${kind}`} disabled={busy || disabled} onClick={click}>
        {children}
      </button>
      <CopyCurl of={command} bare />
    </span>
  );
}

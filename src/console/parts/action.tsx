import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type AdminCommand, perform } from '../data/api.js';
import { attempt, toast } from '../data/toasts.js';
import { AsCurl } from './curl.js';
import { Dialog } from './dialog.js';

/** Performs a call and says how it went. Gives back whether it succeeded. */
export function act<Result>(
  command: AdminCommand<Result>,
  done: string | ((result: Result) => string),
): Promise<boolean> {
  return attempt(async () => {
    const result = await perform(command);
    toast(typeof done === 'string' ? done : done(result));
  });
}

interface ActionProps<Result> {
  readonly command: AdminCommand<Result>;
  /** What the message says afterwards. */
  readonly done: string | ((result: Result) => string);
  readonly then?: (() => unknown) | undefined;
  readonly kind?: '' | 'primary';
  readonly disabled?: boolean;
}

/** What a click does, and whether it is at it. */
function useAct<Result>({ command, done }: ActionProps<Result>, then?: () => unknown) {
  const [busy, setBusy] = useState(false);
  const click = async () => {
    setBusy(true);
    const succeeded = await act(command, done);
    setBusy(false);
    if (succeeded) await then?.();
  };
  return { busy, click };
}

/** A button that performs a call of the admin API, which the menu of its page offers as a command. */
export function ActionButton<Result>(props: ActionProps<Result> & { readonly children: string }) {
  const { command, kind = '', disabled = false, children } = props;
  const { busy, click } = useAct(props, props.then);
  return (
    <>
      <button type="button" class={`button ${kind}`} disabled={busy || disabled} onClick={click}>
        {children}
      </button>
      <AsCurl of={command} title={children} />
    </>
  );
}

interface Asked<Result> extends Omit<ActionProps<Result>, 'kind' | 'disabled'> {
  /** The question. */
  readonly title: string;
  /** What the button says that answers it. */
  readonly verb: string;
  /** What would be lost. */
  readonly children: ComponentChildren;
}

/** A button that performs a call after a question, as for what cannot be undone. */
export function AskingButton<Result>(props: Asked<Result> & { readonly label: string }) {
  const { command, label } = props;
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="button" onClick={() => setAsking(true)}>
        {label}
      </button>
      <AsCurl of={command} title={label} />
      {asking && <Question {...props} close={() => setAsking(false)} />}
    </>
  );
}

/** The question before a call that cannot be undone. */
export function Question<Result>(
  props: Asked<Result> & {
    /** Stops rendering the question. */
    readonly close: () => void;
  },
) {
  const { title, verb, then, close, children } = props;
  const after = async () => {
    close();
    await then?.();
  };
  const { busy, click } = useAct(props, after);
  return (
    <Dialog title={title} close={close}>
      <p>{children}</p>
      <div class="dialog-actions">
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
        <button type="button" class="button primary" disabled={busy} onClick={click}>
          {verb}
        </button>
      </div>
    </Dialog>
  );
}

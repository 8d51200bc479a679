import { X } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from './icon.js';

/** A modal dialog, while it is rendered. The browser keeps the focus in it, and gives it back. */
export function Dialog({
  title,
  close,
  children,
}: {
  readonly title: string;
  /** Called by Escape and the close button; it stops rendering the dialog. */
  readonly close: () => void;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const dialog = ref.current!;
    dialog.showModal();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const cancel = (event: Event) => {
    event.preventDefault();
    close();
  };
  return (
    <dialog ref={ref} class="dialog" aria-labelledby={id} onCancel={cancel}>
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="button quiet bare" onClick={close}>
          <Icon of={X} />
          <span class="unseen">Close</span>
        </button>
      </header>
      {children}
    </dialog>
  );
}

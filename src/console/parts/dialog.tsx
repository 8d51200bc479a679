import { X } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { CurlMenu, OwnCurls } from './curl.js';
import { Icon } from './icon.js';

interface DialogProps {
  readonly title: string;
  /** Called by Escape and the close button; it stops rendering the dialog. Without it, the dialog stays. */
  readonly close?: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog, while it is rendered. The browser keeps the focus in it, and gives it back. */
export function Dialog({ title, close, children }: DialogProps) {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  // Not after the next paint: a key that is pressed at once must find the focus where it belongs.
  useLayoutEffect(() => {
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
    close?.();
  };
  // A browser without `closedby` may close it of its own accord. The event also comes after it is gone, when another may be open.
  const closed = () => {
    if (!ref.current) return;
    if (close) close();
    else ref.current.showModal();
  };
  return (
    <OwnCurls>
      <dialog
        ref={ref}
        class="dialog"
        closedby={close ? 'closerequest' : 'none'}
        aria-labelledby={id}
        onCancel={cancel}
        onClose={closed}
      >
        <header>
          <h2 id={id}>{title}</h2>
          <CurlMenu />
          {close && (
            <button type="button" class="button quiet bare" onClick={close}>
              <Icon of={X} />
              <span class="unseen">Close</span>
            </button>
          )}
        </header>
        {children}
      </dialog>
    </OwnCurls>
  );
}

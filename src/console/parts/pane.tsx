import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { go } from '../data/route.js';

interface DetailPaneProps {
  readonly label: string;
  readonly closeHref: string;
  readonly children: ComponentChildren;
}

/** What is open of a list, beside it. It takes the focus of the row that opened it; Escape closes it and gives it back. */
export function DetailPane({ label, closeHref, children }: DetailPaneProps) {
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    if (document.activeElement?.closest('.virtual-row, .panes-detail')) pane.current!.focus();
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    const row = document.querySelector<HTMLElement>('.virtual-row.selected .lead');
    go(closeHref);
    // A narrow screen shows the list again only now.
    setTimeout(() => row?.focus());
  };
  return (
    <section ref={pane} class="panes-detail" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
      {children}
    </section>
  );
}

import { signal } from '@preact/signals';

/** Whether the palette is open. */
export const paletteIsOpen = signal(false);

/** Opens the palette by Ctrl+K or Cmd+K, unless another dialog waits for an answer, and closes it by the same keys. */
export function listenForPalette(): void {
  addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    paletteIsOpen.value = !paletteIsOpen.value && !document.querySelector('dialog[open]');
  });
}

/** What a keyboard of this system calls the keys. */
export const paletteKeys = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘K' : 'Ctrl K';

import { useId } from 'preact/hooks';
import { attempt } from '../data/toasts.js';

/** Saves a text as a file, as a download does. */
export function saveFile(name: string, content: string, type = 'application/json'): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

interface FileButtonProps {
  readonly label: string;
  readonly accept: string;
  readonly take: (name: string, text: string) => unknown;
}

/** A button that asks for a file and hands on its text. */
export function FileButton({ label, accept, take }: FileButtonProps) {
  const id = useId();
  const changed = async ({ currentTarget: input }: { readonly currentTarget: HTMLInputElement }) => {
    const [file] = input.files ?? [];
    if (!file) return;
    await attempt(async () => take(file.name, await file.text()));
    input.value = '';
  };
  return (
    <span class="file-button">
      <input type="file" id={id} class="unseen" accept={accept} onChange={changed} />
      <label for={id} class="button">
        {label}
      </label>
    </span>
  );
}

/** What lets files be dropped onto an element. */
export function dropOnto(take: (files: readonly File[]) => unknown) {
  return {
    onDragOver: (event: Event) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      void attempt(() => take([...(event.dataTransfer?.files ?? [])]));
    },
  };
}

import { useId } from 'preact/hooks';
import { toast } from '../data/toasts.js';

/** Saves a text or the body of a response as a file, as a download does. */
export function saveFile(name: string, content: string | Blob, type = 'application/json'): void {
  const address = URL.createObjectURL(typeof content === 'string' ? new Blob([content], { type }) : content);
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
    try {
      await take(file.name, await file.text());
    } catch (error) {
      toast((error as Error).message, 'bad');
    }
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

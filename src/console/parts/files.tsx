import { SquareTerminal } from 'lucide';
import { useId } from 'preact/hooks';
import type { AdminAsk } from '../../bindings/index.js';
import { curlOf } from '../data/api.js';
import { toast } from '../data/toasts.js';
import { CopyButton } from './copy.js';

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

/** Offers a call that writes its response to a file, or sends a file, as a command. */
export function CopyFileCurl({ of, file }: { readonly of: AdminAsk; readonly file: string }) {
  const option = of.method === 'GET' ? `-o ${file}` : `--data-binary @${file}`;
  return (
    <CopyButton
      text={() => `${curlOf(of)} ${option}`}
      name={`${of.method} ${of.path} with ${file} as curl`}
      icon={SquareTerminal}
    />
  );
}

/** A button that asks for a file and hands on its text. */
export function FileButton({
  label,
  accept,
  take,
}: {
  readonly label: string;
  readonly accept: string;
  readonly take: (name: string, text: string) => unknown;
}) {
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

import { Check, Copy, type IconNode } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import { toast } from '../data/toasts.js';
import { Icon } from './icon.js';

const DONE_MS = 1500;

/** Copies a text. Gives back whether it could. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    toast('The browser does not let this page copy. Use https or a loopback address.', 'bad');
    return false;
  }
}

interface CopyButtonProps {
  readonly text: string | (() => string);
  readonly name: string;
  readonly label?: string;
  readonly icon?: IconNode;
}

/** Copies a text. Without `label` only the drawing is shown; `name` says what is copied. */
export function CopyButton({ text, name, label, icon = Copy }: CopyButtonProps) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return undefined;
    const timer = setTimeout(() => setDone(false), DONE_MS);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = async () => setDone(await copyText(typeof text === 'string' ? text : text()));
  return (
    <button type="button" class={label ? 'button quiet' : 'button quiet bare'} onClick={copy} title={`Copy ${name}`}>
      <Icon of={done ? Check : icon} size={14} />
      {label ? <span>{done ? 'Copied' : label}</span> : <span class="unseen">{`Copy ${name}`}</span>}
      <span class="unseen" role="status">
        {done ? 'Copied' : ''}
      </span>
    </button>
  );
}

/** Code to read and copy. */
export function CodeBlock({ code, name }: { readonly code: string; readonly name: string }) {
  return (
    <div class="code-block">
      <pre tabIndex={0} aria-label={name}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} name={name} />
    </div>
  );
}

/** A value that is copied whole, such as a token. */
export function CopyValue({ value, name }: { readonly value: string; readonly name: string }) {
  return (
    <span class="copy-value">
      <code>{value}</code>
      <CopyButton text={value} name={name} />
    </span>
  );
}

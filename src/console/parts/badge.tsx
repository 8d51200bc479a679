import { Zap } from 'lucide';
import type { ComponentChildren } from 'preact';
import { Icon } from './icon.js';

export type Tone = 'neutral' | 'ok' | 'warn' | 'bad' | 'info' | 'accent';

export function Badge({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

function toneOf(status: number): Tone {
  if (status === 0) return 'neutral';
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'ok';
}

/** A status code; 0 if there was no response, which `none` explains. */
export function StatusBadge({ status, none = 'no response' }: { readonly status: number; readonly none?: string }) {
  return <Badge tone={toneOf(status)}>{status === 0 ? none : status}</Badge>;
}

/** A method, as wide as the others. */
export function MethodBadge({ method }: { readonly method: string }) {
  return <span class={`method ${method.toLowerCase()}`}>{method}</span>;
}

/** Marks what a client may not know of. */
export function Bolt({ size = 11, says }: { readonly size?: number; readonly says?: string }) {
  return (
    <span class="bolt" title={says}>
      <Icon of={Zap} size={size} />
      {says && <span class="unseen">{says}</span>}
    </span>
  );
}

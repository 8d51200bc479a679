import type { ComponentChildren } from 'preact';

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

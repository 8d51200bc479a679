import type { IconNode } from 'lucide';
import { h } from 'preact';

/** A drawing beside words, which say the same; screen readers skip it. */
export function Icon({ of, size = 16 }: { readonly of: IconNode; readonly size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {of.map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  );
}

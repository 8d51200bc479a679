import { signal } from '@preact/signals';

/** Why the world of this page has ended. The page then sends nothing: a request would create another world of its name. */
export const worldEnd = signal<string | undefined>(undefined);

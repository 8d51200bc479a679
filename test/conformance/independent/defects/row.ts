import type { Change } from '../run.js';

/** A mistake that breaks the API specification. */
export interface Defect {
  readonly name: string;
  readonly change: Change;
  /** Whether reading is enough to find it. */
  readonly how: 'reading' | 'everything';
  /** The rules that name it: the first finding is one of them. */
  readonly names: RegExp;
  /** It only warns, as a matter of convention. */
  readonly isMinor?: true;
}

export const seen = (name: string, names: RegExp, change: Change): Defect => ({ name, names, change, how: 'reading' });
export const done = (name: string, names: RegExp, change: Change): Defect => ({
  name,
  names,
  change,
  how: 'everything',
});
export const minor = (one: Defect): Defect => ({ ...one, isMinor: true });

import { type CheckOptions, readKnown } from '../../conformance/index.js';
import { parseDialectCard } from '../../engine/index.js';
import { readJson } from '../json-file.js';
import type { CheckValues } from './check-output.js';

type Judging = Pick<
  CheckOptions,
  | 'only'
  | 'skip'
  | 'failOn'
  | 'strict'
  | 'minConclusive'
  | 'maxP95'
  | 'showPersonalData'
  | 'known'
  | 'card'
  | 'severities'
>;

/** A member of an object, if it has a value. */
export function given<K extends string, V>(name: K, value: V | undefined): { [Name in K]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { [Name in K]?: V };
}

/** Bytes of a number of MiB. */
export function inBytes(mib: number | undefined): number | undefined {
  return mib === undefined ? undefined : Math.ceil(mib * 1024 * 1024);
}

/** How rules are judged, for runs and recordings alike. */
export async function judgingOf(values: CheckValues): Promise<Judging> {
  const { only, skip, strict, known, dialect } = values;
  const card = dialect === undefined ? undefined : await readJson(dialect, 'dialect', parseDialectCard);
  return {
    ...given('only', only),
    ...given('skip', skip),
    ...given('failOn', values['fail-on']),
    ...given('strict', strict),
    ...given('minConclusive', values['min-conclusive']),
    ...given('maxP95', values['max-p95']),
    ...given('showPersonalData', values['show-personal-data']),
    ...given('known', known === undefined ? undefined : await readJson(known, 'baseline', readKnown)),
    ...given('card', card?.answers),
    ...given('severities', values.severities),
  };
}

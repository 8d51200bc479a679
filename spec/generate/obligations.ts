import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import type { Source } from './catalogue.js';
import { choiceOf, found, severities, unknownKeys, unknownOperations } from './faults.js';
import { header, literal, specFolder } from './folders.js';

/** What a client of the service must do, as `spec/obligations/*.yaml` says it. */
export interface Obligation {
  id: string;
  /** Where the API specification says it. Without a source, `reason` says why a careful client does it. */
  source?: Source;
  also?: Source[];
  reason?: string;
  statement: string;
  basis: 'stated' | 'careful';
  severity: 'critical' | 'major' | 'minor';
  /** Names of operations without their version; absent where it holds for all. */
  operations?: string[];
  seen: string;
  toSee: string;
}

const keys = new Set([
  'id',
  'source',
  'also',
  'reason',
  'statement',
  'basis',
  'severity',
  'operations',
  'seen',
  'toSee',
]);

/** Reads `spec/obligations/*.yaml`, by the name of the file without its ending. */
export function loadObligations(): Map<string, Obligation[]> {
  const folder = resolve(specFolder, 'obligations');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.yaml')) : [];
  const read = (name: string): Obligation[] => parse(readFileSync(resolve(folder, name), 'utf8')) ?? [];
  return new Map(names.sort().map((name) => [name.replace('.yaml', ''), read(name)]));
}

/** The faults of obligations, one sentence each. */
export function obligationFaults(obligations: readonly Obligation[], operations: ReadonlySet<string>): string[] {
  const ids = obligations.map(({ id }) => id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  return [
    ...twice.map((id) => `obligation \`${id}\` is defined twice`),
    ...obligations.flatMap((one) => faultsOfOne(one, operations).map((fault) => `obligation \`${one.id}\` ${fault}`)),
  ];
}

function faultsOfOne(obligation: Obligation, names: ReadonlySet<string>): string[] {
  const { id, source, also = [], reason, statement, basis, severity, operations, seen, toSee } = obligation;
  const sources = source ? [source, ...also] : also;
  return found([
    [!/^[a-z]+(\.[a-z0-9]+(-[a-z0-9]+)*)+$/.test(id), 'has an invalid id'],
    [!statement || !seen || !toSee, 'lacks one of `statement`, `seen` and `toSee`'],
    [!source && !reason, 'has neither a source in the API specification nor a reason'],
    [!source && also.length > 0, 'has `also` without a `source`'],
    [sources.some(({ section, item }) => !section || item === undefined), 'has a source without section or item'],
    choiceOf('basis', basis, ['stated', 'careful']),
    [basis === 'stated' && !source, 'is stated, but names no source'],
    [basis === 'careful' && !reason, 'is what a careful client does, but gives no reason'],
    choiceOf('severity', severity, severities),
    [operations?.length === 0, 'names no operation: remove `operations`'],
    ...unknownOperations(operations, names),
    ...unknownKeys(obligation, keys),
  ]);
}

/** `obligations.ts`: what the compiler needs of obligations. */
export function obligationBasisFile(obligations: readonly Obligation[]): string {
  const basis = Object.fromEntries(obligations.map((one) => [one.id, one.basis]));
  return `${header}/** The basis of each obligation: the API specification states it, or a careful client does it. */
export const obligationBasis = ${literal(basis)} as const;

export type ObligationId = keyof typeof obligationBasis;
`;
}

/** `built/obligations.ts`: the obligations in full, for listings and reports. */
export function obligationsFile(obligations: readonly Obligation[]): string {
  return `${header}import type { ObligationId } from '../obligations.js';
import type { Rule, Source } from './catalogue.js';

/** What a client of the service must do. */
export interface Obligation {
  readonly id: ObligationId;
  /** Where the API specification says it. */
  readonly source?: Source;
  /** Other positions that say the same. */
  readonly also?: readonly Source[];
  /** Why a careful client does it. */
  readonly reason?: string;
  readonly statement: string;
  readonly basis: 'stated' | 'careful';
  /** What a breach costs. \`critical\`: secrets, money, a booking too many. \`major\`: a client breaks. \`minor\`: a convention. */
  readonly severity: Rule['severity'];
  /** Names of operations without their version; absent where it holds for all. */
  readonly operations?: readonly string[];
  /** How it is seen. */
  readonly seen: string;
  /** What a client must do so that it can be seen. */
  readonly toSee: string;
}

export const obligations: readonly Obligation[] = ${literal(obligations)};
`;
}

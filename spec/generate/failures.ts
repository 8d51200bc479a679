import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import type { Scenario } from '../../src/contract/generated/scenarios.js';
import type { Catalogue } from './catalogue.js';
import { header, literal, specFolder } from './folders.js';
import type { Obligation } from './obligations.js';

/** A documented failure of a booking creation, as `spec/failures.yaml` has it. */
interface Failure {
  readonly status: number;
  readonly words: string;
  readonly pattern: string;
  readonly late?: true;
  readonly fallback?: string;
  readonly accepts: string;
  readonly rule: string;
  readonly scenario: string;
  readonly client: 'retry' | 'look' | 'search';
  readonly obligation: string;
  readonly because: string;
}

export type Failures = Readonly<Record<string, Failure>>;

const needed = ['status', 'words', 'pattern', 'accepts', 'rule', 'scenario', 'client', 'obligation', 'because'];
const known = [...needed, 'late', 'fallback'];

export function loadFailures(): Failures {
  return parse(readFileSync(resolve(specFolder, 'failures.yaml'), 'utf8')) as Failures;
}

/** What does not fit in `spec/failures.yaml`, one sentence each, with the file that must change. */
export function failureFaults(
  failures: Failures,
  scenarios: readonly Scenario[],
  { rules }: Catalogue,
  obligations: readonly Obligation[],
): string[] {
  const examples = readFileSync(resolve(specFolder, 'examples.yaml'), 'utf8').replaceAll(/\s+/g, ' ');
  const ofEntries = Object.entries(failures).flatMap(([code, one]) => {
    const keys = [...needed.filter((key) => !(key in one)), ...Object.keys(one).filter((key) => !known.includes(key))];
    if (keys.length > 0) return [`\`${code}\` lacks or does not know \`${keys.join('`, `')}\``];
    const effect = scenarios.find(({ id }) => id === one.scenario)?.effect;
    const isItsScenario = effect?.kind === 'refusal' && effect.code === code && effect.rule === one.rule;
    const isSaid = (pattern: string): boolean => new RegExp(pattern, 'i').test(one.words);
    const checks: [failed: boolean, fault: string][] = [
      [!rules.some(({ id }) => id === one.rule), `needs the rule \`${one.rule}\` in spec/rules/errors.yaml`],
      [!isItsScenario, `needs scenarios/${one.scenario}.yaml, which refuses with its code and its rule`],
      [
        !obligations.some(({ id }) => id === one.obligation),
        `needs the obligation \`${one.obligation}\` in spec/obligations/failures.yaml`,
      ],
      [!examples.includes(one.words.split('{')[0]!.trim()), 'needs an example with its words in spec/examples.yaml'],
      [!isSaid(one.pattern) || !isSaid(one.accepts), 'has words that its `pattern` or `accepts` does not match'],
      [!['retry', 'look', 'search'].includes(one.client), `has \`client: ${one.client}\`; use retry, look or search`],
    ];
    return checks.filter(([failed]) => failed).map(([, fault]) => `\`${code}\` ${fault}`);
  });
  const listed = Object.values(failures).map(({ obligation }) => obligation);
  const unlisted = obligations.filter(({ id }) => id.startsWith('failures.') && !listed.includes(id));
  const codes = scenarios.flatMap(({ effect }) =>
    effect.kind === 'refusal' && effect.rule.startsWith('errors.create.') && !(effect.code in failures)
      ? [effect.code]
      : [],
  );
  return [
    ...ofEntries,
    ...unlisted.map(({ id }) => `the obligation \`${id}\` of spec/obligations/failures.yaml needs an entry`),
    ...codes.map((code) => `the code \`${code}\`, with which a scenario refuses, needs an entry`),
  ].map((fault) => `spec/failures.yaml: ${fault}`);
}

/** `failures.ts`: the documented failures by code. */
export function failuresFile(failures: Failures): string {
  return `${header}/** The documented failures of a booking creation (section Errors), by the code of the refusal. */
export const failures = ${literal(failures)} as const;

export type FailureCode = keyof typeof failures;
`;
}

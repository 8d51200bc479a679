import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { type Contract, placedOperations } from './contract.js';
import { header, literal, specFolder } from './folders.js';
import { nameOf } from './names.js';

export interface Source {
  section: string;
  item: string;
}

export interface Rule {
  id: string;
  source: Source;
  also?: Source[];
  statement: string;
  basis: 'stated' | 'implied' | 'open';
  operations: string[];
  versions: string[];
  observable: boolean;
  unobservable?: string;
  field?: { schema: string; name: string };
  question?: string;
}

export interface Question {
  id: string;
  question: string;
  source: Source;
  kind: 'choice' | 'integer' | 'header' | 'subset' | 'noted';
  options?: { value: string | number; means: string }[];
  min?: number;
  max?: number;
  values?: string[];
  default?: unknown;
  probe: string;
  why?: string;
  operations?: string[];
}

export interface Catalogue {
  readonly rules: readonly Rule[];
  readonly questions: readonly Question[];
}

function readList<T>(file: string): T[] {
  if (!existsSync(file)) return [];
  return (parse(readFileSync(file, 'utf8')) as T[] | null) ?? [];
}

/** Reads `spec/rules/*.yaml` and `spec/open-questions.yaml`; what is absent counts as empty. */
export function loadCatalogue(): Catalogue {
  const folder = resolve(specFolder, 'rules');
  const files = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.yaml'))
        .sort()
    : [];
  return {
    rules: files.flatMap((name) => readList<Rule>(resolve(folder, name))),
    questions: readList<Question>(resolve(specFolder, 'open-questions.yaml')),
  };
}

const types = `/** Where in the document something stands. */
export interface Source {
  readonly section: string;
  readonly item: string;
}

/** One statement of the document. */
export interface Rule {
  readonly id: string;
  readonly source: Source;
  /** Where the document says the same again. */
  readonly also?: readonly Source[];
  readonly statement: string;
  readonly basis: 'stated' | 'implied' | 'open';
  /** Names of operations without their version, or \`*\`. */
  readonly operations: readonly string[];
  /** \`v1\` to \`v5\`, or \`*\`. */
  readonly versions: readonly string[];
  /** Whether it can be seen from outside; \`unobservable\` says why not. */
  readonly observable: boolean;
  readonly unobservable?: string;
  /** The field that it is about. */
  readonly field?: { readonly schema: string; readonly name: string };
  /** The question whose answer the rule follows. */
  readonly question?: string;
}

/** One thing that the document leaves open. */
export interface Question {
  readonly id: string;
  readonly question: string;
  readonly source: Source;
  /** \`noted\` is a silence that no switch answers; \`why\` says what the sandbox does. */
  readonly kind: 'choice' | 'integer' | 'header' | 'subset' | 'noted';
  readonly options?: readonly { readonly value: string | number; readonly means: string }[];
  readonly min?: number;
  readonly max?: number;
  readonly values?: readonly string[];
  readonly default?: string | number | readonly string[];
  /** How one could tell from outside. */
  readonly probe: string;
  readonly why?: string;
  readonly operations?: readonly string[];
}
`;

/** `catalogue.ts`: rules and questions in full, for listings and reports. */
export function catalogueFile({ rules, questions }: Catalogue): string {
  return `${header}${types}
export const rules: readonly Rule[] = ${literal(rules)};

export const questions: readonly Question[] = ${literal(questions)};
`;
}

/** `rule-basis.ts`: what a refusal needs of a rule. */
export function ruleBasisFile({ rules }: Catalogue): string {
  const basis = Object.fromEntries(rules.map((rule) => [rule.id, rule.basis]));
  return `${header}/** On what each rule rests: the document states it, implies it, or leaves it open. */
export const ruleBasis = ${literal(basis)} as const;

export type RuleId = keyof typeof ruleBasis;
`;
}

/** `questions.ts`: the switches of a dialect, without the words about them. */
export function questionsFile({ questions }: Catalogue): string {
  const switches = questions.filter(({ kind }) => kind !== 'noted');
  const rows = switches.map(({ id, kind, options, values, min, max, default: usual }) => {
    const row = { id, kind, options: options?.map(({ value }) => value), values, min, max, default: usual };
    return `  ${literal(row, '  ')},\n`;
  });
  const answers = switches.map((question) => `  readonly '${question.id}': ${answerType(question)};\n`);
  return `${header}/** The questions that a dialect card can answer, each with its default. */
export const questionSwitches = [
${rows.join('')}] as const;

/** An answer to every question. */
export interface Answers {
${answers.join('')}}
`;
}

function answerType({ kind, options, values }: Question): string {
  switch (kind) {
    case 'choice':
      return options!.map(({ value }) => literal(value)).join(' | ');
    case 'integer':
      return 'number';
    case 'subset':
      return `readonly (${values!.map((value) => literal(value)).join(' | ')})[]`;
    default:
      return 'string';
  }
}

/** Every rule id that the contract names, each once. */
export function ruleIdsOf(contract: Contract): string[] {
  const ids = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, item] of Object.entries(value)) {
      if (key === 'x-rule') ids.add(item as string);
      else visit(item);
    }
  };
  visit(contract);
  return [...ids].sort();
}

/** Names of operations without their version. */
export function operationNames(contract: Contract): Set<string> {
  return new Set(placedOperations(contract).map(({ operation }) => nameOf(operation.operationId).name));
}

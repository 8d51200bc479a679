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
  severity: 'critical' | 'major' | 'minor';
  /** Whom the cited words oblige, and to what. */
  obliges?: 'service' | 'caller';
  duty?: string;
  /** Names of operations without their version; `*` for all, `authenticated` for those that need credentials. */
  operations: string[];
  /** Absent where the rule holds in every version of its operations. */
  versions?: string[];
  observable: boolean;
  unobservable?: string;
  field?: { schema: string; name: string };
  question?: string;
}

export interface Question {
  id: string;
  question: string;
  perVersion?: true;
  /** The versions of its operations, where each may have an answer of its own. */
  versions?: string[];
  formerly?: string;
  source: Source;
  kind: 'choice' | 'integer' | 'header' | 'subset' | 'noted';
  options?: { value: string | number; means: string }[];
  min?: number;
  max?: number;
  values?: string[];
  default?: unknown;
  probe: string;
  why?: string;
  matters: string;
  suffers: string;
  contradiction?: string;
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

/** What rules and questions write for all operations that need credentials. */
export const AUTHENTICATED = 'authenticated';

/** Rules and questions with the operations and versions that the contract gives them. */
export function withScope({ rules, questions }: Catalogue, contract: Contract): Catalogue {
  const placed = placedOperations(contract).map(({ operation }) => operation);
  const secured = new Set(
    placed.filter(({ security }) => security?.length !== 0).map((one) => nameOf(one.operationId).name),
  );
  const namesOf = (operations: readonly string[]): string[] =>
    operations.flatMap((name) => (name === AUTHENTICATED ? [...secured] : [name]));
  return {
    rules: rules.map((rule) => {
      const { operations, versions = versionsOfAll(contract, namesOf(operations)), ...rest } = rule;
      return { ...rest, operations: namesOf(operations), versions };
    }),
    questions: questions.map(({ perVersion, operations, ...rest }) => ({
      ...rest,
      ...(operations && { operations: namesOf(operations) }),
      ...(perVersion && { versions: versionsOfAll(contract, namesOf(operations ?? [])) }),
    })),
  };
}

/** The versions that have one of these operations, oldest first; `*` if one of them has no version. */
export function versionsOfAll(contract: Contract, names: readonly string[]): string[] {
  const placed = placedOperations(contract).map(({ operation }) => nameOf(operation.operationId));
  const versions = placed.filter(({ name }) => names.includes(name)).map(({ version }) => version);
  return names.includes('*') || versions.includes('*') ? ['*'] : [...new Set(versions)].sort();
}

/** Reads `spec/rules/*.yaml` and `spec/open-questions.yaml`; a missing file counts as empty. */
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

const types = `/** A position in the API specification. */
export interface Source {
  readonly section: string;
  readonly item: string;
}

/** One statement of the API specification. */
export interface Rule {
  readonly id: string;
  readonly source: Source;
  /** Other positions that say the same. */
  readonly also?: readonly Source[];
  readonly statement: string;
  readonly basis: 'stated' | 'implied' | 'open';
  /**
   * What a breach costs. \`critical\`: security, money, data of another channel or another day. \`major\`: a client breaks.
   * \`minor\`: a convention.
   */
  readonly severity: 'critical' | 'major' | 'minor';
  /** Whom the cited words oblige; \`duty\` says to what. */
  readonly obliges?: 'service' | 'caller';
  readonly duty?: string;
  /** Names of operations without their version, or \`*\`. */
  readonly operations: readonly string[];
  /** Such as \`v5\`, or \`*\`. */
  readonly versions: readonly string[];
  /** Whether it can be observed from outside; \`unobservable\` explains why not. */
  readonly observable: boolean;
  readonly unobservable?: string;
  /** The field that the rule is about. */
  readonly field?: { readonly schema: string; readonly name: string };
  /** The question whose answer the rule follows. */
  readonly question?: string;
}

/** One thing that the API specification leaves open. */
export interface Question {
  readonly id: string;
  readonly question: string;
  /** The versions that may each have an answer of their own; absent where there is one answer. */
  readonly versions?: readonly string[];
  /** The ids that it had when each version had a question of its own. */
  readonly formerly?: string;
  readonly source: Source;
  /** \`noted\` has no switch; \`why\` explains what the sandbox does. */
  readonly kind: 'choice' | 'integer' | 'header' | 'subset' | 'noted';
  readonly options?: readonly { readonly value: string | number; readonly means: string }[];
  readonly min?: number;
  readonly max?: number;
  readonly values?: readonly string[];
  readonly default?: string | number | readonly string[];
  /** How to find the answer from outside. */
  readonly probe: string;
  readonly why?: string;
  /** Why the answer matters to a partner, and what happens to one that does not know it. */
  readonly matters: string;
  readonly suffers: string;
  /** The places of the API specification that disagree. */
  readonly contradiction?: string;
  readonly operations?: readonly string[];
}
`;

/** `catalogue.ts`: rules and questions in full, for listings and reports. What `rule-basis.ts` has is not repeated. */
export function catalogueFile({ rules, questions }: Catalogue): string {
  const rows = rules.map(({ id: _id, basis: _basis, ...row }) => row);
  return `${header}import { ruleBasis } from '../rule-basis.js';

${types}
const rows: readonly Omit<Rule, 'id' | 'basis'>[] = ${literal(rows)};

export const rules: readonly Rule[] = Object.entries(ruleBasis).map(([id, basis], index) => {
  const { source, also, statement, ...rest } = rows[index]!;
  return { id, source, ...(also && { also }), statement, basis, ...rest };
});

export const questions: readonly Question[] = ${literal(questions)};
`;
}

/** `rule-basis.ts`: the part of a rule that a refusal needs. */
export function ruleBasisFile({ rules }: Catalogue): string {
  const basis = Object.fromEntries(rules.map((rule) => [rule.id, rule.basis]));
  return `${header}/** The id of a rule, such as \`bookings.create.atomic\`. */
export type RuleId = ${rules.map(({ id }) => `\n  | ${literal(id)}`).join('')};

/** The basis of each rule: the API specification states it, implies it, or leaves it open. */
export const ruleBasis: Readonly<Record<RuleId, 'stated' | 'implied' | 'open'>> = ${literal(basis)};
`;
}

/** `questions.ts`: the switches of a dialect, without the words about them. */
export function questionsFile({ questions }: Catalogue): string {
  const switches = questions.filter(({ kind }) => kind !== 'noted');
  const rows = switches.map(({ id, kind, options, values, min, max, default: usual, versions, formerly }) => {
    const given = options?.map(({ value }) => value);
    const row = { id, kind, options: given, values, min, max, default: usual, versions, formerly };
    return `  ${literal(row, '  ')},\n`;
  });
  const answers = switches.map((question) => `  readonly '${question.id}': ${answerType(question)};\n`);
  const versioned = switches.filter(({ versions }) => versions).map(({ id }) => literal(id));
  return `${header}/** The questions that a dialect card can answer, each with its default. */
export const questionSwitches = [
${rows.join('')}] as const;

/** An answer to every question; by version where versions may differ. */
export interface Answers {
${answers.join('')}}

export type QuestionId = keyof Answers;

/** Questions that each version may answer differently. */
export type VersionedQuestion = ${versioned.join(' | ')};

/** Some answers, as a dialect card gives them: where versions may differ, one option for all of them or some by version. */
export type GivenAnswers = {
  readonly [Id in QuestionId]?: Id extends VersionedQuestion
    ? Answers[Id][keyof Answers[Id]] | Partial<Answers[Id]>
    : Answers[Id];
};
`;
}

function answerType({ kind, options, values, versions }: Question): string {
  const union = (all: readonly (string | number)[]): string => all.map((one) => literal(one)).join(' | ');
  switch (kind) {
    case 'choice': {
      const option = union(options!.map(({ value }) => value));
      return versions ? `Readonly<Record<${union(versions)}, ${option}>>` : option;
    }
    case 'integer':
      return 'number';
    case 'subset':
      return `readonly (${union(values!)})[]`;
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

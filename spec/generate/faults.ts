import {
  AUTHENTICATED,
  type Catalogue,
  operationNames,
  type Question,
  type Rule,
  ruleIdsOf,
  type Source,
  versionsOfAll,
} from './catalogue.js';
import { didYouMean } from '../../src/common/index.js';
import { type Contract, deref, placedOperations, type Schema } from './contract.js';
import { nameOf, versionsOf } from './names.js';

const ruleId = /^[a-z]+(\.[A-Za-z0-9_-]+)+$/;
const ruleKeys = new Set([
  'id',
  'source',
  'also',
  'statement',
  'basis',
  'severity',
  'obliges',
  'duty',
  'operations',
  'versions',
  'observable',
  'unobservable',
  'field',
  'question',
]);
const questionKeys = new Set([
  'id',
  'question',
  'perVersion',
  'formerly',
  'source',
  'kind',
  'options',
  'min',
  'max',
  'values',
  'default',
  'probe',
  'why',
  'matters',
  'suffers',
  'contradiction',
  'operations',
]);

/** The faults of rules and questions, one sentence each; empty if they fit the contract and each other. */
export function faultsOf({ rules, questions }: Catalogue, contract: Contract): string[] {
  const names = operationNames(contract).add('*').add(AUTHENTICATED);
  const asked = new Set(questions.map(({ id }) => id));
  const known = new Set(rules.map(({ id }) => id));
  const unknown = ruleIdsOf(contract).filter((id) => !known.has(id));
  return [
    ...repeats(rules, 'rule'),
    ...repeats(questions, 'question'),
    ...rules.flatMap((rule) => ruleFaults(rule, names, contract).map((fault) => `rule \`${rule.id}\` ${fault}`)),
    ...questions.flatMap((one) => questionFaults(one, names).map((fault) => `question \`${one.id}\` ${fault}`)),
    ...rules
      .filter(({ question }) => question !== undefined && !asked.has(question))
      .map(({ id, question }) => `rule \`${id}\` follows the question \`${question}\`, which is not defined`),
    ...misplaced(rules, contract),
    ...lackingVersions(questions, contract),
    ...lackingFields(rules, contract),
    ...unknown.map((id) => `\`x-rule: ${id}\` of the contract is not defined in spec/rules`),
  ];
}

/** Rules that the contract uses for operations or versions that the rule does not list. */
function misplaced(rules: readonly Rule[], contract: Contract): string[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return placedOperations(contract).flatMap(({ operation }) => {
    const { name, version } = nameOf(operation.operationId);
    const parameters = (operation.parameters ?? []).map((parameter) => deref(contract, parameter));
    return [operation, ...parameters].flatMap(({ 'x-rule': id }) => {
      const rule = byId.get(id);
      if (!rule || (covers(rule.operations, name) && covers(rule.versions, version))) return [];
      return [`\`x-rule: ${id}\` is used by \`${operation.operationId}\`, to which the rule does not apply`];
    });
  });
}

/** Versions at whose path no token can be exchanged, since the lists of that path lack them. */
function lackingVersions(questions: readonly Question[], contract: Contract): string[] {
  const { values = [], default: usual } = questions.find(({ id }) => id === 'token.versions') ?? {};
  const taken = contract.components.parameters['version']?.schema['enum'];
  const lists: readonly (readonly [place: string, list: unknown])[] = [
    ['the parameter `version` of spec/shared.yaml', taken],
    ['`values` of the question `token.versions`', values],
    ['`default` of the question `token.versions`', usual],
  ];
  return versionsOf(contract).flatMap((version) =>
    lists
      .filter(([, list]) => Array.isArray(list) && !list.includes(version))
      .map(([place]) => `${place} lacks ${version}`),
  );
}

/** Fields of answers that nothing requires, and fields without a rule. */
function lackingFields(rules: readonly Rule[], contract: Contract): string[] {
  // `success` is of the envelope.
  const ruled = new Set(['success', ...rules.map(({ field }) => field?.name)]);
  return [...answerSchemas(contract)].flatMap((name) => {
    const { properties = {}, required = [] } = contract.components.schemas[name]!;
    return Object.keys(properties).flatMap((field) => [
      ...(required.includes(field)
        ? []
        : [`\`${field}\` is missing from \`required\` of \`${name}\` in spec/shared.yaml`]),
      ...(ruled.has(field) ? [] : [`no rule of spec/rules has the \`field\` \`${field}\` of \`${name}\``]),
    ]);
  });
}

/** The names of the schemas that successful answers and callbacks have, at any depth. */
function answerSchemas(contract: Contract): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<object>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    const { $ref } = value as { $ref?: string };
    if ($ref?.startsWith('#/components/schemas/')) found.add($ref.split('/').at(-1)!);
    if ($ref) visit(deref(contract, value));
    else for (const inner of Object.values(value)) visit(inner);
  };
  for (const { operation } of placedOperations(contract)) visit([operation.responses['200'], operation.callbacks]);
  return found;
}

function covers(listed: readonly string[] | undefined, one: string): boolean {
  return one === '*' || !listed || listed.includes('*') || listed.includes(one);
}

function repeats(entries: readonly { id: string }[], what: string): string[] {
  const seen = new Set<string>();
  const repeated = entries.filter(({ id }) => seen.size === seen.add(id).size);
  return repeated.map(({ id }) => `${what} \`${id}\` is defined twice`);
}

function ruleFaults(rule: Rule, names: ReadonlySet<string>, contract: Contract): string[] {
  const {
    id,
    source,
    also = [],
    statement,
    basis,
    severity,
    obliges,
    duty,
    operations,
    observable,
    unobservable,
    field,
    versions: listed,
  } = rule;
  const versions = ['*', ...versionsOf(contract)];
  const shape = field && contract.components.schemas[field.schema];
  return found([
    [!ruleId.test(id), 'has an invalid id'],
    [[source, ...also].some(isVague), 'has no source with a section and an item'],
    [!statement, 'has no statement'],
    choiceOf('basis', basis, ['stated', 'implied', 'open']),
    choiceOf('severity', severity, severities),
    ...(obliges === undefined ? [] : [choiceOf('obliges', obliges, ['service', 'caller'])]),
    [basis === 'stated' && obliges === undefined, 'does not say whom its words oblige: `obliges` and `duty`'],
    [(obliges === undefined) !== !duty, 'has only one of `obliges` and `duty`'],
    [
      basis === 'stated' && observable && obliges === 'caller',
      'judges the service by words that oblige the caller: it is implied or open',
    ],
    [typeof observable !== 'boolean', 'does not say whether it is observable'],
    [observable === false && !unobservable, 'does not explain why it cannot be observed'],
    [
      listed && (listed.length === 0 || !listed.every((one) => versions.includes(one))),
      `has an unknown version, or none: \`versions\` lists some of ${versions.join(', ')}`,
    ],
    [
      listed && operations && String([...listed].sort()) === String(versionsOfAll(contract, operations)),
      'lists the versions that its operations have anyway: remove `versions`',
    ],
    [field !== undefined && !shape, `is about the unknown schema \`${field?.schema}\``],
    [
      shape && !hasField(shape, field!.name),
      `is about \`${field?.name}\`, which is not a field of \`${field?.schema}\``,
    ],
    [!operations?.length, 'names no operation'],
    ...unknownOperations(operations, names),
    ...unknownKeys(rule, ruleKeys),
  ]);
}

function isVague(source: Source | undefined): boolean {
  return !source?.section || source.item === undefined;
}

function questionFaults(question: Question, names: ReadonlySet<string>): string[] {
  const { source, kind, probe, operations } = question;
  return found([
    [!question.question, 'has no text'],
    [isVague(source), 'has no source with a section and an item'],
    choiceOf('kind', kind, ['choice', 'integer', 'header', 'subset', 'noted']),
    [!probe, 'has no probe'],
    [!question.matters || !question.suffers, 'does not say why it matters and what a partner suffers'],
    [kind === 'noted' && !question.why, 'does not explain why it is not a switch'],
    [question.perVersion && kind !== 'choice', 'has `perVersion`, which only a choice can have'],
    [question.perVersion && !operations?.length, 'has `perVersion`, but lists no operation'],
    [question.formerly?.includes('{version}') === false, 'has a `formerly` without `{version}`'],
    [!fits(question), `has no default of its kind, \`${kind}\``],
    ...unknownOperations(operations, names),
    ...unknownKeys(question, questionKeys),
  ]);
}

function fits({ kind, options, values, min, max, default: usual }: Question): boolean {
  switch (kind) {
    case 'choice':
      return options !== undefined && options[0]?.value === usual;
    case 'integer':
      return Number.isInteger(usual) && (usual as number) >= min! && (usual as number) <= max!;
    case 'subset':
      return Array.isArray(usual) && usual.every((value) => values?.includes(value as string));
    case 'header':
      return typeof usual === 'string';
    default:
      return kind === 'noted' && usual === undefined;
  }
}

/** Whether a schema has the field itself or in an object that is written out inside it. */
function hasField({ properties = {}, items }: Schema, name: string): boolean {
  if (name in properties) return true;
  const inner = [...Object.values(properties), ...(items ? [items as Schema] : [])];
  return inner.some((schema) => hasField(schema, name));
}

type Check = [failed: boolean | undefined, fault: string];

export const severities = ['critical', 'major', 'minor'];

/** A member that has one of some words. */
export function choiceOf(name: string, given: unknown, allowed: readonly string[]): Check {
  const fault = `has the ${name} \`${String(given)}\`; it must be one of ${allowed.join(', ')}`;
  return [!allowed.includes(given as string), fault];
}

export function unknownOperations(operations: readonly string[] | undefined, names: ReadonlySet<string>): Check[] {
  const unknown = (operations ?? []).filter((name) => !names.has(name));
  return unknown.map((name) => [true, `names the unknown operation \`${name}\`.${didYouMean(name, [...names])}`]);
}

export function unknownKeys(entry: object, keys: ReadonlySet<string>): Check[] {
  const fault = (key: string) =>
    `has the unknown key \`${key}\`; the keys are ${[...keys].join(', ')}.${didYouMean(key, [...keys])}`;
  const unknown = Object.keys(entry).filter((key) => !keys.has(key));
  return unknown.map((key) => [true, fault(key)]);
}

export function found(checks: readonly Check[]): string[] {
  return checks.filter(([failed]) => failed).map(([, fault]) => fault);
}

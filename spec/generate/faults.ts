import { type Catalogue, operationNames, type Question, type Rule, ruleIdsOf, type Source } from './catalogue.js';
import { type Contract, deref, placedOperations, type Schema } from './contract.js';
import { nameOf } from './names.js';

const ruleId = /^[a-z]+(\.[A-Za-z0-9_-]+)+$/;
const ruleKeys = new Set([
  'id',
  'source',
  'also',
  'statement',
  'basis',
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
  'source',
  'kind',
  'options',
  'min',
  'max',
  'values',
  'default',
  'probe',
  'why',
  'operations',
]);
const versions = new Set(['v1', 'v2', 'v3', 'v4', 'v5', '*']);

/** What is wrong in rules and questions, one sentence each; empty when they fit the contract and themselves. */
export function faultsOf({ rules, questions }: Catalogue, contract: Contract): string[] {
  const names = operationNames(contract).add('*');
  const asked = new Set(questions.map(({ id }) => id));
  const known = new Set(rules.map(({ id }) => id));
  const unknown = ruleIdsOf(contract).filter((id) => !known.has(id));
  return [
    ...twice(rules, 'rule'),
    ...twice(questions, 'question'),
    ...rules.flatMap((rule) => ruleFaults(rule, names, contract).map((fault) => `rule \`${rule.id}\` ${fault}`)),
    ...questions.flatMap((one) => questionFaults(one, names).map((fault) => `question \`${one.id}\` ${fault}`)),
    ...rules
      .filter(({ question }) => question !== undefined && !asked.has(question))
      .map(({ id, question }) => `rule \`${id}\` follows the question \`${question}\`, which nobody asks`),
    ...misplaced(rules, contract),
    ...unknown.map((id) => `\`x-rule: ${id}\` of the contract is defined by no file in spec/rules`),
  ];
}

/** Rules that the contract names where they do not apply by their own account. */
function misplaced(rules: readonly Rule[], contract: Contract): string[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return placedOperations(contract).flatMap(({ operation }) => {
    const { name, version } = nameOf(operation.operationId);
    const parameters = (operation.parameters ?? []).map((parameter) => deref(contract, parameter));
    return [operation, ...parameters].flatMap(({ 'x-rule': id }) => {
      const rule = byId.get(id);
      if (!rule || (covers(rule.operations, name) && covers(rule.versions, version))) return [];
      return [`\`x-rule: ${id}\` stands at \`${operation.operationId}\`, to which the rule does not apply`];
    });
  });
}

function covers(listed: readonly string[], one: string): boolean {
  return one === '*' || listed.includes('*') || listed.includes(one);
}

function twice(entries: readonly { id: string }[], what: string): string[] {
  const seen = new Set<string>();
  const repeated = entries.filter(({ id }) => seen.size === seen.add(id).size);
  return repeated.map(({ id }) => `${what} \`${id}\` is defined twice`);
}

function ruleFaults(rule: Rule, names: ReadonlySet<string>, { components }: Contract): string[] {
  const { id, source, also = [], statement, basis, operations, observable, unobservable, field } = rule;
  const shape = field && components.schemas[field.schema];
  return found([
    [!ruleId.test(id), 'has an id that is no slug'],
    [[source, ...also].some(isVague), 'names no section and item as its source'],
    [!statement, 'has no statement'],
    [!['stated', 'implied', 'open'].includes(basis), `has the basis \`${basis}\``],
    [typeof observable !== 'boolean', 'does not say whether it is observable'],
    [observable === false && !unobservable, 'does not say why it cannot be seen from outside'],
    [!rule.versions?.length || rule.versions.some((one) => !versions.has(one)), 'has an unknown version, or none'],
    [field !== undefined && !shape, `is about the schema \`${field?.schema}\`, which the contract has not`],
    [shape && !hasField(shape, field!.name), `is about \`${field?.name}\`, no field of \`${field?.schema}\``],
    [!operations?.length, 'names no operation'],
    ...strays(operations, names),
    ...strayKeys(rule, ruleKeys),
  ]);
}

function isVague(source: Source | undefined): boolean {
  return !source?.section || source.item === undefined;
}

function questionFaults(question: Question, names: ReadonlySet<string>): string[] {
  const { source, kind, probe, operations } = question;
  return found([
    [!question.question, 'asks nothing'],
    [isVague(source), 'names no section and item as its source'],
    [!probe, 'does not say how one could tell'],
    [kind === 'noted' && !question.why, 'does not say why it is no switch'],
    [!fits(question), `has no default that fits its kind, \`${kind}\``],
    ...strays(operations, names),
    ...strayKeys(question, questionKeys),
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

function strays(operations: readonly string[] | undefined, names: ReadonlySet<string>): Check[] {
  const unknown = (operations ?? []).filter((name) => !names.has(name));
  return unknown.map((name) => [true, `names the operation \`${name}\`, which the contract has not`]);
}

function strayKeys(entry: object, keys: ReadonlySet<string>): Check[] {
  return Object.keys(entry).map((key) => [!keys.has(key), `has the key \`${key}\`, which means nothing here`]);
}

function found(checks: readonly Check[]): string[] {
  return checks.filter(([failed]) => failed).map(([, fault]) => fault);
}

import {
  type Obligation,
  obligations,
  type Question,
  questions,
  type Rule,
  rules,
  type Scenario,
  scenarios,
} from '../../contract/index.js';
import { anyGlob, closest, counted } from '../../common/index.js';
import { toggle } from '../args.js';
import type { Terminal } from '../terminal.js';
import { UsageError } from '../usage-error.js';
import type { Example } from '../help/usage.js';
import { defineCommand } from './command.js';
import { listKinds } from './list-kinds.js';
import { ruleInFull } from './rule-text.js';
import { worldFlags } from './serve-flags.js';

function chosen<T extends { readonly id: string }>(
  all: readonly T[],
  globs: readonly string[],
  what: string,
): readonly T[] {
  if (globs.length === 0) return all;
  const wanted = anyGlob(globs);
  const found = all.filter(({ id }) => wanted(id));
  if (found.length > 0) return found;
  const hint = `Run \`npx --no-install teebox list ${what}s\` for the list; * matches any part of an id.`;
  throw new UsageError(`No ${what} matches ${globs.join(' ')}. ${hint}`);
}

function sourceInWords({ section, item }: { readonly section: string; readonly item: string }): string {
  return `${section}, ${item}`;
}

function ruleText(rule: Rule): string {
  const versions = rule.versions.includes('*') ? '' : ` ${rule.versions.join(' ')}`;
  const seen = rule.observable ? '' : `\n  not observable: ${rule.unobservable}`;
  const scope = `${sourceInWords(rule.source)}; ${rule.operations.join(', ')}${versions}`;
  return `${rule.id}  (${rule.basis}, ${rule.severity})\n  ${rule.statement}\n  ${scope}${seen}`;
}

function listRules(globs: readonly string[], json: boolean, { out }: Terminal): void {
  const found = chosen(rules, globs, 'rule');
  if (json) return out(JSON.stringify(found, null, 2));
  const inFull = globs.length === 1 ? ruleInFull(globs[0]!) : undefined;
  if (inFull !== undefined) return out(inFull);
  out(found.map(ruleText).join('\n\n'));
  const count = (basis: Rule['basis']): string => `${found.filter((rule) => rule.basis === basis).length} ${basis}`;
  const hidden = found.filter(({ observable }) => !observable).length;
  const counts = [count('stated'), count('implied'), count('open')].join(', ');
  out(`\n${counted(found.length, 'rule')}: ${counts}; ${hidden} ${hidden === 1 ? 'is' : 'are'} not observable`);
}

function answersText(question: Question): string {
  const usual = JSON.stringify(question.default);
  switch (question.kind) {
    case 'choice': {
      const shown = (value: unknown): string =>
        JSON.stringify(value) + (value === question.default ? ' (default)' : '');
      return question.options!.map(({ value, means }) => `  ${shown(value)}: ${means}`).join('\n');
    }
    case 'integer':
      return `  a whole number from ${question.min} to ${question.max}, default ${usual}`;
    case 'subset':
      return `  a list of ${question.values!.join(', ')}, default ${usual}`;
    case 'header':
      return `  the name of a header, default ${usual}`;
    case 'noted':
      return `  not in a dialect card: ${question.why}`;
  }
}

function questionText(question: Question): string {
  const { id, probe, source, versions, matters, suffers, contradiction } = question;
  const lines = [
    `  ${question.question}`,
    answersText(question),
    ...(versions ? [`  can differ by version: ${versions.join(', ')}`] : []),
    ...(contradiction === undefined ? [] : [`  the API specification contradicts itself: ${contradiction}`]),
    `  why it matters: ${matters}`,
    `  without an answer: ${suffers}`,
    `  answered by: ${probe}`,
    `  ${sourceInWords(source)}`,
  ];
  return [id, ...lines].join('\n');
}

/** The open questions, with the answers that a dialect card can give. */
function listQuestions(globs: readonly string[], json: boolean, { out }: Terminal): void {
  const found = chosen(questions, globs, 'question');
  if (json) return out(JSON.stringify(found, null, 2));
  out(found.map(questionText).join('\n\n'));
  const switches = found.filter(({ kind }) => kind !== 'noted').length;
  out(`\n${counted(found.length, 'question')}; a dialect card can answer ${switches} of them`);
}

function scenarioText({ id, title, means, source, operations, checkpoint, after }: Scenario): string {
  const phases = Object.entries(after).map(([phase, holds]) => `  ${phase}: ${holds}`);
  const where = operations.includes('*') ? 'every operation' : operations.join(', ');
  return [`${id}  (at ${checkpoint})`, `  ${title}. ${means}`, ...phases, `  ${sourceInWords(source)}; ${where}`].join(
    '\n',
  );
}

async function listScenarios(
  globs: readonly string[],
  json: boolean,
  { out }: Terminal,
  folder: string | undefined,
): Promise<void> {
  // The YAML parser is loaded only if --scenarios is set.
  const own = folder === undefined ? [] : await (await import('../scenario-files.js')).readScenarioFolder(folder);
  const found = chosen([...scenarios, ...own], globs, 'scenario');
  if (json) return out(JSON.stringify(found, null, 2));
  out(found.map(scenarioText).join('\n\n'));
}

function obligationText({ id, basis, severity, statement, source, reason, seen, toSee }: Obligation): string {
  const why = [...(reason === undefined ? [] : [`  ${reason}`]), ...(source ? [`  ${sourceInWords(source)}`] : [])];
  const lines = [`  ${statement}`, `  checked: ${seen}`, `  to show it: ${toSee}`, ...why];
  return [`${id}  (${basis}, ${severity})`, ...lines].join('\n');
}

/** What clients must do, and how it is checked. */
function listObligations(globs: readonly string[], json: boolean, { out }: Terminal): void {
  const found = chosen(obligations, globs, 'obligation');
  if (json) return out(JSON.stringify(found, null, 2));
  out(found.map(obligationText).join('\n\n'));
  const stated = found.filter(({ basis }) => basis === 'stated').length;
  const counts = `${stated} stated by the API specification, ${found.length - stated} that a careful client owes`;
  out(`\n${counted(found.length, 'obligation')}: ${counts}`);
}

type Kind = (typeof listKinds)[number];

/** What can be listed: ids, how it is listed, and an example. */
const kinds = {
  scenarios: { all: scenarios, list: listScenarios, example: ["'payment-*'", 'the failures of payments'] },
  rules: {
    all: rules,
    list: listRules,
    example: ['countries.list', 'one rule: its source, and what a deployment must do'],
  },
  questions: { all: questions, list: listQuestions, example: ["'callback.*'", 'the open questions about callbacks'] },
  obligations: { all: obligations, list: listObligations, example: ["'tokens.*'", 'what a client owes about tokens'] },
} as const satisfies Readonly<Record<Kind, unknown>>;

function exampleOf(name: Kind, words = `list ${name}`): Example {
  const [ids, does] = kinds[name].example;
  return [`teebox ${words} ${ids}`, does];
}

const idsOf = (name: Kind): readonly string[] => kinds[name].all.map(({ id }) => id);

const flags = { json: toggle('print JSON'), scenarios: worldFlags.scenarios } as const;

export const listCommand = defineCommand({
  usage: `list ${listKinds.join('|')} [ID | GLOB ...] [FLAGS]`,
  what: 'Lists the failures that you can inject, the rules, the open questions, or the obligations of clients; or shows one in full.',
  flags,
  examples: listKinds.map((name) => exampleOf(name)),
  completes: listKinds,
  completesAfter: Object.fromEntries(listKinds.map((name) => [name, idsOf(name)])),
  async run({ values: { json = false, scenarios: folder }, positionals: [word, ...globs], terminal }) {
    const name = listKinds.find((one) => one === word);
    if (name === undefined) {
      const guess = word === undefined ? undefined : closest(word, listKinds);
      const got = word === undefined ? '' : `; got \`${word}\``;
      const hint = guess === undefined ? '' : ` Did you mean ${guess}?`;
      throw new UsageError(`list needs what to list: ${listKinds.join(', ')}${got}.${hint}`);
    }
    await kinds[name].list(globs, json, terminal, folder);
    return 0;
  },
});

export const scenariosCommand = defineCommand({
  usage: 'scenarios [ID | GLOB ...] [FLAGS]',
  what: 'Lists the failures that you can inject, and the state after each: short for `teebox list scenarios`.',
  flags,
  examples: [exampleOf('scenarios', 'scenarios')],
  completes: idsOf('scenarios'),
  run: (input) => listCommand.run({ ...input, positionals: ['scenarios', ...input.positionals] }),
});

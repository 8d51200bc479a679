import { anyGlob } from '../../conformance/globs.js';
import { type Question, questions, type Rule, rules } from '../../generated/catalogue.js';
import { type Scenario, scenarios } from '../../generated/scenarios.js';
import type { Terminal } from '../terminal.js';
import { UsageError } from '../usage-error.js';

function chosen<T extends { readonly id: string }>(
  all: readonly T[],
  globs: readonly string[],
  what: string,
): readonly T[] {
  if (globs.length === 0) return all;
  const wanted = anyGlob(globs);
  const found = all.filter(({ id }) => wanted(id));
  if (found.length > 0) return found;
  const hint = `Run \`teebox ${what}s\` for the list; * stands for any part of an id.`;
  throw new UsageError(`No ${what} matches ${globs.join(' ')}. ${hint}`);
}

function place({ section, item }: { readonly section: string; readonly item: string }): string {
  return `${section}, ${item}`;
}

function ruleText(rule: Rule): string {
  const versions = rule.versions.includes('*') ? '' : ` ${rule.versions.join(' ')}`;
  const seen = rule.observable ? '' : `\n  not seen from outside: ${rule.unobservable}`;
  const scope = `${place(rule.source)}; ${rule.operations.join(', ')}${versions}`;
  return `${rule.id}  (${rule.basis})\n  ${rule.statement}\n  ${scope}${seen}`;
}

/** `teebox rules [GLOB ...]`: every statement of the document as a rule. */
export function rulesCommand(globs: readonly string[], json: boolean, { out }: Terminal): void {
  const found = chosen(rules, globs, 'rule');
  if (json) return out(JSON.stringify(found, null, 2));
  out(found.map(ruleText).join('\n\n'));
  const count = (basis: Rule['basis']): string => `${found.filter((rule) => rule.basis === basis).length} ${basis}`;
  const hidden = found.filter(({ observable }) => !observable).length;
  const counts = [count('stated'), count('implied'), count('open')].join(', ');
  out(`\n${found.length} rules: ${counts}; ${hidden} cannot be seen from outside`);
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
      return `  no switch: ${question.why}`;
  }
}

function questionText(question: Question): string {
  const { id, probe, source } = question;
  return `${id}\n  ${question.question}\n${answersText(question)}\n  told by: ${probe}\n  ${place(source)}`;
}

/** `teebox questions [GLOB ...]`: what the document leaves open, with the answers a dialect card can give. */
export function questionsCommand(globs: readonly string[], json: boolean, { out }: Terminal): void {
  const found = chosen(questions, globs, 'question');
  if (json) return out(JSON.stringify(found, null, 2));
  out(found.map(questionText).join('\n\n'));
  const switches = found.filter(({ kind }) => kind !== 'noted').length;
  out(`\n${found.length} questions, of which a dialect card can answer ${switches}`);
}

function scenarioText({ id, title, means, source, operations, checkpoint, after }: Scenario): string {
  const phases = Object.entries(after).map(([phase, holds]) => `  ${phase}: ${holds}`);
  const where = operations.includes('*') ? 'every operation' : operations.join(', ');
  return [`${id}  (at ${checkpoint})`, `  ${title}. ${means}`, ...phases, `  ${place(source)}; ${where}`].join('\n');
}

/** `teebox scenarios [GLOB ...]`: what can be made to fail, and what holds afterwards. */
export async function scenariosCommand(
  globs: readonly string[],
  json: boolean,
  { out }: Terminal,
  folder: string | undefined,
): Promise<void> {
  // What reads YAML is loaded only for those who bring some.
  const own = folder === undefined ? [] : await (await import('../scenario-files.js')).readScenarioFolder(folder);
  const found = chosen([...scenarios, ...own], globs, 'scenario');
  if (json) return out(JSON.stringify(found, null, 2));
  out(found.map(scenarioText).join('\n\n'));
}

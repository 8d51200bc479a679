import { questions, type Rule, rules } from '../../contract/index.js';
import { wrapped } from '../help/page-text.js';

const WIDTH = 100;

/** `row mid` in words. */
function itemInWords(item: string): string {
  const [, kind = '', name = ''] = /^(\S+) (.*)$/.exec(item) ?? [];
  const words: Readonly<Record<string, string>> = {
    sentence: `sentence ${name}`,
    row: `the table row "${name}"`,
    field: `the field \`${name}\``,
    list: `item ${name} of the list`,
    caption: `the caption "${name}"`,
  };
  return words[kind] ?? item;
}

function sourceInWords({ section, item }: Rule['source']): string {
  return `the section "${section}", ${itemInWords(item)}`;
}

const why: Readonly<Record<Rule['basis'], string>> = {
  stated: 'The API specification says so.',
  implied:
    'The API specification does not say it in these words. It follows from what it says, or from what the operation is for.',
  open: 'The API specification leaves it open.',
};

const cost: Readonly<Record<Rule['severity'], string>> = {
  critical: 'security, money, or data of another channel or another day',
  major: 'a client breaks',
  minor: 'a convention',
};

/** What a deployment must do for the rule to pass. */
function dutyOf(rule: Rule): string {
  const { basis, obliges, duty, severity, question: id } = rule;
  if (obliges === 'caller') return `Nothing: the rule is about clients, which ${duty}.`;
  if (basis === 'open') {
    const question = questions.find((one) => one.id === id);
    const asked = question
      ? ` ${question.question} \`teebox list questions ${question.id}\` shows the possible answers.`
      : '';
    return `Nothing: every behaviour conforms, and \`teebox check\` records which one it is.${asked}`;
  }
  const finding = basis === 'implied' && severity === 'minor' ? 'warning' : 'failure';
  const task = duty === undefined ? 'Do what the statement says' : `${duty[0]!.toUpperCase()}${duty.slice(1)}`;
  return `${task}. \`teebox check\` reports a ${finding} if it does not.`;
}

/** A rule in full: its statement, where it comes from, what a deployment must do, and how to check it. */
export function ruleInFull(id: string): string | undefined {
  const rule = rules.find((one) => one.id === id);
  if (!rule) return undefined;
  const { statement, source, also = [], basis, severity, operations, versions, observable, unobservable } = rule;
  const every = operations.includes('*') ? 'every operation' : operations.join(', ');
  const parts: readonly (readonly [heading: string, text: string])[] = [
    ['Statement', statement],
    [
      'API specification',
      `${[source, ...also].map(sourceInWords).join('; ')}. ${why[basis]}`.replace(/^./, (first) => first.toUpperCase()),
    ],
    ['What a deployment must do', dutyOf(rule)],
    ['Applies to', `${every}, in ${versions.includes('*') ? 'every version' : versions.join(', ')}`],
    ['Severity', `${severity}: ${cost[severity]}`],
    ['Check it', observable ? `teebox check BASE_URL --only ${id}` : `Nobody can from outside: ${unobservable}.`],
  ];
  return [id, ...parts.map(([heading, text]) => `  ${heading}\n${wrapped(text, '    ', WIDTH)}`)].join('\n\n');
}

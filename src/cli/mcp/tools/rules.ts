import * as z from 'zod';
import { operationOf, type Question, questions, type Rule, rules } from '../../../contract/index.js';
import { anyGlob, counted } from '../../../common/index.js';
import type { ToolContext } from '../tool-context.js';
import { hintFor, itemFrom, operationId, rowLimit } from '../inputs.js';
import { defineTool, lines, readsSandbox, ToolError } from '../tool.js';
import { rulesOf } from './describe.js';

const questionsById = new Map(questions.map((question) => [question.id, question]));

/** A rule with the question that it follows. */
export interface RuleView extends Omit<Rule, 'question'> {
  readonly question?: Pick<Question, 'id' | 'question' | 'options'> & { readonly answer?: unknown };
}

export const findRules = (context: ToolContext) =>
  defineTool({
    name: 'find_rules',
    title: 'Find rules of the API specification',
    description:
      'The rules of the API specification, each with its source, basis (stated, implied or open) and severity; an open rule ' +
      'has its question with the answer in force. Use it to settle what the API promises, or to look up a rule id ' +
      'from a Teebox-Rule header, an explanation or a report.',
    input: {
      ids: z.array(z.string().max(100)).min(1).max(20).optional().describe('Rule ids or globs, such as "bookings.*".'),
      operation: operationId.optional().describe('Only rules of this operation itself, not those of every operation.'),
      text: z.string().max(100).optional().describe('Words that the id or the statement must have.'),
      basis: z.enum(['stated', 'implied', 'open']).optional(),
      from: itemFrom,
      limit: rowLimit(20, 50),
    },
    hints: readsSandbox,
    run: async ({ ids, operation, text = '', basis, from = 0, limit }) => {
      const among = operation === undefined ? rules : rulesOf(operationOf(operation)).own;
      const wanted = ids === undefined ? () => true : anyGlob(ids);
      const words = text.toLowerCase().split(/\s+/);
      const found = among.filter((rule) => {
        const said = `${rule.id} ${rule.statement}`.toLowerCase();
        return wanted(rule.id) && (basis ?? rule.basis) === rule.basis && words.every((word) => said.includes(word));
      });
      if (found.length === 0) throw new ToolError(`No rule matches. ${hintFor(rules, 'bookings.*', ids)}`);
      const answers = new Map((await context.logins.questions()).map(({ id, answer }) => [id, answer]));
      const shown = found.slice(from, from + limit).map((rule) => ruleView(rule, answers));
      const next = from + shown.length;
      return {
        text: lines(
          `${counted(found.length, 'rule')}${shown.length < found.length ? `, ${from} to ${next - 1} shown` : ''}:`,
          shown.map(ruleText),
          next < found.length && `For more, call find_rules again with from=${next}.`,
        ),
        data: { total: found.length, rules: shown, ...(next < found.length ? { next } : {}) },
      };
    },
  });

/** A rule with its question, and the answer to it if answers are given. */
export function ruleView({ question: id = '', ...rule }: Rule, answers: ReadonlyMap<string, unknown>): RuleView {
  const asked = questionsById.get(id);
  if (!asked) return rule;
  const { question, options } = asked;
  const answer = answers.get(id);
  return {
    ...rule,
    question: { id, question, ...(options ? { options } : {}), ...(answer === undefined ? {} : { answer }) },
  };
}

function ruleText({ id, basis, severity, statement, source, operations, versions, question }: RuleView): string {
  const which = versions.includes('*') ? '' : ` ${versions.join(' ')}`;
  const asked =
    question && `\n  ${question.id}: ${question.question} Now: ${JSON.stringify(question.answer) ?? 'no switch'}`;
  return `${id} (${basis}, ${severity}): ${statement}\n  ${source.section}, ${source.item}; ${operations.join(', ')}${which}${asked ?? ''}`;
}

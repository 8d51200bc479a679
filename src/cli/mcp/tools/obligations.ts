import * as z from 'zod';
import { type Obligation, obligations } from '../../../contract/index.js';
import { anyGlob, counted } from '../../../common/index.js';
import { hintFor, itemFrom, operationName, rowLimit } from '../inputs.js';
import { defineTool, lines, readsSandbox, ToolError } from '../tool.js';

/** What a client owes when it calls an operation, besides what it owes everywhere. */
export function obligationsOf(operation: string): readonly Obligation[] {
  return obligations.filter(({ operations }) => operations?.includes(operation));
}

export const findObligations = () =>
  defineTool({
    name: 'find_obligations',
    title: 'Find obligations of a client',
    description:
      'What a client of the API owes: keep the newest refresh token, make one booking for each purchase, look before it ' +
      'books again, and so on, each with its source or reason and how it is checked. Use it before you write client ' +
      'code, and to look up an id from a certificate.',
    input: {
      ids: z.array(z.string().max(100)).min(1).max(20).optional().describe('Ids or globs, such as "tokens.*".'),
      operation: operationName.optional().describe('Only obligations of this operation, and those of all operations.'),
      text: z.string().max(100).optional().describe('Words that the id or the statement must have.'),
      from: itemFrom,
      limit: rowLimit(20, 50),
    },
    hints: readsSandbox,
    run: async ({ ids, operation, text = '', from = 0, limit }) => {
      const wanted = ids === undefined ? () => true : anyGlob(ids);
      const words = text.toLowerCase().split(/\s+/);
      const found = obligations.filter(({ id, statement, operations }) => {
        const said = `${id} ${statement}`.toLowerCase();
        const isHere = operation === undefined || !operations || operations.includes(operation);
        return isHere && wanted(id) && words.every((word) => said.includes(word));
      });
      if (found.length === 0) throw new ToolError(`No obligation matches. ${hintFor(obligations, 'tokens.*', ids)}`);
      const shown = found.slice(from, from + limit);
      const next = from + shown.length;
      return {
        text: lines(
          `${counted(found.length, 'obligation')}:`,
          shown.map(obligationText),
          next < found.length && `For more, call find_obligations again with from=${next}.`,
        ),
        data: { total: found.length, obligations: shown, ...(next < found.length ? { next } : {}) },
      };
    },
  });

function obligationText({ id, basis, severity, statement, source, reason, seen, toSee }: Obligation): string {
  const why = [source && `${source.section}, ${source.item}`, reason].filter((one) => one !== undefined).join('. ');
  return `${id} (${basis}, ${severity}): ${statement}\n  Why: ${why}\n  Checked: ${seen} To show it: ${toSee}`;
}

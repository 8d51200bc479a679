import { parsedJson } from '../../../common/index.js';
import * as z from 'zod';
import type { AdminSchema } from '../admin-schema.js';
import type { ToolContext } from '../tool-context.js';
import { cutsInWords, excerptOf, partAt } from '../excerpt.js';
import { itemFrom, pointer } from '../inputs.js';
import { defineTool, lines, readsSandbox, type ToolAnswer } from '../tool.js';

const MOST_ROWS = 30;

export const readCallbacks = (context: ToolContext) =>
  defineTool({
    name: 'read_callbacks',
    title: 'Read callbacks',
    description:
      'Results of v5.searchTeeTimes, which the sandbox posts to the `callbackUrl` of the search: whether each was ' +
      `delivered, every attempt, and its body. Without a receiver of your own, use ${context.admin.callbacks.inboxUrl('agent')} ` +
      'as the `callbackUrl`.',
    input: {
      callback: z
        .string()
        .regex(/^callback-\d+$/, 'A callback id is such as callback-1; read_callbacks without arguments lists them.')
        .optional()
        .describe('One callback with its body. Default: a list of all.'),
      at: pointer.describe('JSON pointer of a part of the body, such as /data/0.'),
      from: itemFrom,
    },
    hints: readsSandbox,
    run: async ({ callback, at, from }) =>
      callback === undefined
        ? listOf(await context.admin.callbacks.list())
        : oneOf(await context.admin.callbacks.get(callback), at, from),
  });

function listOf(callbacks: readonly AdminSchema<'CallbackSummary'>[]): ToolAnswer {
  const shown = callbacks.slice(-MOST_ROWS);
  const none = 'There are no callbacks since the last reset. A search with v5.searchTeeTimes makes one.';
  const earlier = callbacks.length - shown.length;
  return {
    text: lines(
      shown.length === 0 ? none : shown.map(callbackLine),
      earlier > 0 && `${earlier} earlier ones are not shown.`,
    ),
    data: { total: callbacks.length, callbacks: shown },
  };
}

function oneOf({ body, ...callback }: AdminSchema<'Callback'>, at = '', from = 0): ToolAnswer {
  const { value, cuts } = excerptOf(partAt(parsedJson(body ?? 'null', body), at), { at, from });
  const more = cutsInWords(cuts, 'read_callbacks', { callback: callback.id });
  const none = 'No body is kept, or none was posted yet.';
  return {
    text: lines(callbackLine(callback), body === null ? none : JSON.stringify(value), more),
    data: { callback, at, from, body: value, cuts },
  };
}

type CallbackRow = Omit<AdminSchema<'Callback'>, 'body'>;

function callbackLine({ id, requestId, url, state, attempts, fault }: CallbackRow): string {
  const tries = attempts.map(({ at, status, error }) => `${at} ${status ?? error ?? 'no response'}`).join('; ');
  const why = fault === undefined ? '' : `, fault ${fault}`;
  return `${id} of ${requestId} to ${url}: ${state}${why}${tries === '' ? '' : ` (${tries})`}`;
}

import * as z from 'zod';
import { counted, defined } from '../../../common/index.js';
import type { AdminSchema } from '../admin-schema.js';
import type { ToolContext } from '../tool-context.js';
import { cutsInWords, excerptOf, partAt } from '../excerpt.js';
import { itemFrom, oneOf, operationName, pointer, rowLimit } from '../inputs.js';
import { defineTool, lines, readsSandbox, type ToolAnswer, ToolError } from '../tool.js';

type JournalRow = AdminSchema<'RequestSummary'>;
type RuleRow = AdminSchema<'Explanation'>['rules'][number];

const requestId = z.string().regex(/^req-\d+$/, 'A request id is such as req-17; list_requests shows them.');

export const listRequests = (context: ToolContext) =>
  defineTool({
    name: 'list_requests',
    title: 'List requests',
    description:
      'The journal of the sandbox: the last requests of every client, newest last, with status, deciding rule and ' +
      'scenario. Use it after the client under test has run, to see what it really sent.',
    input: {
      operation: operationName.optional(),
      channel: oneOf(context.channels, 'channel').optional(),
      status: z.int().min(0).max(599).optional().describe('Status code; 0 for requests without a response.'),
      scenario: oneOf(
        context.scenarios.map(({ id }) => id),
        'scenario',
      )
        .optional()
        .describe('Scenario that was triggered.'),
      since: requestId.optional().describe('Only requests after this one.'),
      limit: rowLimit(20, 100),
    },
    hints: readsSandbox,
    run: async (filter) => {
      const requests = await context.admin.requests(defined(filter));
      const none = 'No request matches. The journal keeps the last 1000 requests since the last reset.';
      return {
        text: requests.length === 0 ? none : lines(requests.map(requestLine)),
        data: { requests },
      };
    },
  });

function requestLine({ id, method, path, status, channel, rule, detail, scenario }: JournalRow): string {
  const who = channel === undefined ? '' : ` ${channel}`;
  const why = detail === undefined ? '' : `: ${detail.slice(0, 160)}`;
  const scenarioNote =
    scenario === undefined ? '' : `; scenario ${scenario.id}${scenario.struck ? '' : ' not triggered'}`;
  return `${id}${who} ${method} ${path.slice(0, 200)} -> ${status === 0 ? 'no response' : status} (${rule ?? 'no rule'}${why}${scenarioNote})`;
}

export const explainRequest = (context: ToolContext) =>
  defineTool({
    name: 'explain_request',
    title: 'Explain a request',
    description:
      'Why the sandbox answered a request as it did: the rules in the order in which they were applied, the open ' +
      'questions with the answers in force, the scenario that was triggered, and the request and response without secrets. ' +
      'Use it for every unexpected answer, of call_operation or of your own client. `at` shows a part in full.',
    input: {
      request: requestId.optional().describe('Default: the last request.'),
      at: pointer.describe('JSON pointer of one part of the exchange, such as /request/body or /response/body/data.'),
      from: itemFrom,
    },
    hints: readsSandbox,
    run: async ({ request, at, from }) => {
      const id = request ?? (await context.admin.requests({ limit: 1 }))[0]?.id;
      if (id === undefined)
        throw new ToolError('There is no request yet. Call the sandbox first, with call_operation.');
      const view = await context.send<AdminSchema<'RequestView'>>({ method: 'GET', path: `requests/${id}` });
      if (at !== undefined) return partOf(id, view, at, from);
      return explanationOf(id, view, await context.admin.explain(id));
    },
  });

function partOf(request: string, view: object, at: string, from = 0): ToolAnswer {
  const { value, cuts } = excerptOf(partAt(view, at), { at, from });
  const text = lines(JSON.stringify(value), cutsInWords(cuts, 'explain_request', { request }));
  return { text, data: { request, at, from, value, cuts } };
}

const PART_ROOM = 1500;

function explanationOf(
  id: string,
  view: AdminSchema<'RequestView'>,
  { request: summary, rules }: AdminSchema<'Explanation'>,
): ToolAnswer {
  const request = excerptOf(view.request, { at: '/request', room: PART_ROOM });
  const response = excerptOf(view.response, { at: '/response', room: PART_ROOM });
  const decisive = rules.filter(({ outcome }) => outcome !== 'held');
  const held = rules.filter(({ outcome }) => outcome === 'held').map(({ rule }) => rule);
  const cuts = [...request.cuts, ...response.cuts];
  return {
    text: lines(
      requestLine(summary),
      summary.scenario?.struck &&
        `The scenario ${summary.scenario.id} was triggered; what holds afterwards: list_scenarios(scenario="${summary.scenario.id}").`,
      decisive.length > 0 && [`${counted(decisive.length, 'rule')} decided:`, ...decisive.map(ruleLine)],
      held.length > 0 && `Held: ${held.join(', ')}.`,
      `Request: ${JSON.stringify(request.value)}`,
      view.response ? `Response: ${JSON.stringify(response.value)}` : 'There was no response.',
      cutsInWords(cuts, 'explain_request', { request: id }),
    ),
    data: { request: summary, rules, exchange: { request: request.value, response: response.value }, cuts },
  };
}

function ruleLine({ rule, words, outcome, basis, source, question, answer, scenario }: RuleRow): string {
  const where = source ? ` [${source.section}, ${source.item}]` : '';
  const asked = question ? ` Question ${question.id}: ${question.asks}` : '';
  const now = answer === undefined ? '' : ` Answer in force: ${JSON.stringify(answer)}.`;
  const by = scenario === undefined ? '' : ` By the scenario ${scenario}.`;
  return `  ${outcome} ${rule}${basis ? ` (${basis})` : ''}: ${words}${where}${asked}${now}${by}`;
}

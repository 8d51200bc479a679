import * as z from 'zod';
import { operationOf, type OperationSpec } from '../../../contract/index.js';
import { closest, parsedJson } from '../../../common/index.js';
import type { AdminSchema } from '../admin-schema.js';
import type { ToolContext } from '../tool-context.js';
import { cutsInWords, excerptOf } from '../excerpt.js';
import { sandboxFetch } from '../sandbox-fetch.js';
import { oneOf, operationId } from '../inputs.js';
import { authWays, type Login } from '../logins.js';
import { changesSandbox, defineTool, lines, type ToolAnswer, ToolError } from '../tool.js';

type GivenParameters = Readonly<Record<string, string | number | boolean>>;

interface CallAsk {
  readonly spec: OperationSpec;
  readonly path: string;
  readonly body: unknown;
  readonly scenario: string | undefined;
  readonly timeout: number;
}

/** What came back. A status of 0: no response. */
interface CallAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly failure?: string;
}

const inputOf = ({ channels }: ToolContext) => ({
  operation: operationId.describe('Id with the version, such as v4.listTeeTimes.'),
  parameters: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .default({})
    .describe('Path and query parameters by name. Dates are dd-mm-yyyy.'),
  body: z
    .union([z.looseObject({}), z.array(z.looseObject({})).max(100)])
    .optional()
    .describe('The JSON body of a POST. Times in bookings are yyyy-mm-dd HH:MM:ss.'),
  channel: oneOf(channels, 'channel').default(channels[0]!).describe('Who calls.'),
  auth: z
    .enum(authWays)
    .default('auto')
    .describe('auto is Basic where the dialect accepts it. bearer uses up the refresh token of the channel.'),
  scenario: z
    .string()
    .max(300)
    .optional()
    .describe('A scenario for this request alone, such as "payment-pi-failed; phase=after-commit".'),
  timeout_seconds: z.number().min(0.1).max(60).default(15).describe('How long to wait for the response.'),
});

export const callOperation = (context: ToolContext) =>
  defineTool({
    name: 'call_operation',
    title: 'Call the sandbox',
    description:
      'Sends one request to the sandbox as a client would, logged in as a channel, and shows the response. Use it to ' +
      'see real data and to try a request. A refusal of the API is a result, not an error of the tool; ' +
      'explain_request tells the reason. Long responses are cut, and the text says how to get the rest.',
    input: inputOf(context),
    hints: changesSandbox,
    run: async ({ operation, parameters, body, channel, auth, scenario, timeout_seconds: timeout }, { signal }) => {
      const spec = operationOf(operation);
      const path = pathWith(spec, parameters);
      if (scenario !== undefined && !/^[ -~]*$/.test(scenario)) {
        throw new ToolError(
          '`scenario` goes into a header, so it must be plain ASCII in one line, such as `slow; delay=2s`.',
        );
      }
      if (body !== undefined && !spec.bodies) throw new ToolError(`${operation} takes no body. Use \`parameters\`.`);
      const asked: CallAsk = { spec, path, body, scenario, timeout };
      const way = spec.auth ? auth : 'none';
      let login = await context.logins.of({ channel, way, version: spec.version });
      let came = await send(context, asked, login, signal);
      // The token may be void because somebody has reset the sandbox. A refused call has done nothing.
      if (login.reused && isRefusedLogin(came)) {
        context.logins.forget();
        login = await context.logins.of({ channel, way, version: spec.version });
        came = await send(context, asked, login, signal);
      }
      return answerOf(context, asked, came, login);
    },
  });

function isRefusedLogin({ headers }: CallAnswer): boolean {
  return (headers.get('teebox-rule') ?? '').startsWith('auth.') && !headers.has('teebox-scenario');
}

/** @throws {ToolError} for a parameter that the operation does not have, and for a missing part of the path. */
function pathWith({ id, path, parameters }: OperationSpec, given: GivenParameters): string {
  const names = parameters.map(({ name }) => name);
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    const guess = closest(name, names);
    const hint = guess ? `Did you mean \`${guess}\`?` : `It has ${names.join(', ') || 'none'}.`;
    throw new ToolError(`${id} has no parameter \`${name.slice(0, 80)}\`. ${hint}`);
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (Object.hasOwn(given, name)) return encodeURIComponent(String(given[name]));
    throw new ToolError(`${id} needs \`${name}\` in \`parameters\`: the path is ${path}.`);
  });
  const query = parameters.filter(({ name, in: place }) => place === 'query' && Object.hasOwn(given, name));
  const pairs = query.map(({ name }) => [name, String(given[name])]);
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`;
}

async function send({ baseUrl }: ToolContext, asked: CallAsk, login: Login, signal: AbortSignal): Promise<CallAnswer> {
  const { spec, path, body, scenario, timeout } = asked;
  const headers = {
    ...login.headers,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(scenario === undefined ? {} : { 'teebox-scenario': scenario }),
  };
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  const late = AbortSignal.timeout(timeout * 1000);
  let begun: Response | undefined;
  try {
    begun = await sandboxFetch(`${baseUrl}${path}`, {
      method: spec.method,
      headers,
      ...json,
      signal: AbortSignal.any([signal, late]),
    });
    return { status: begun.status, headers: begun.headers, text: await begun.text() };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    const why = late.aborted ? `no complete response within ${timeout} s` : (cause?.code ?? message);
    const failure = begun ? `The response broke off after its headers: ${why}.` : `No response: ${why}.`;
    return { status: begun?.status ?? 0, headers: begun?.headers ?? new Headers(), text: '', failure };
  }
}

async function answerOf(
  { admin }: ToolContext,
  { spec, path, scenario }: CallAsk,
  came: CallAnswer,
  login: Login,
): Promise<ToolAnswer> {
  // With --pure, and without a response, there is no header with the id.
  const [latest] = await admin.requests({ path, method: spec.method, limit: 1 });
  const id = came.headers.get('teebox-request-id') ?? latest?.id;
  const summary = id === latest?.id ? latest : undefined;
  const { value, cuts } = excerptOf(parsedJson(came.text, came.text), { at: '/response/body' });
  const { status, failure } = came;
  const retryAfter = came.headers.get('retry-after');
  const found = summary?.scenario;
  const text = lines(
    `${status === 0 ? 'No response' : status} to ${spec.method} ${path} (${id ?? 'unknown request'}, ${login.way})`,
    failure,
    summary && outcomeLine(summary),
    found && scenarioLine(found),
    scenario !== undefined && !found && 'The scenario was not triggered.',
    summary?.warnings?.map((warning) => `Warning: ${warning}`),
    retryAfter !== null && `Retry-After: ${retryAfter}`,
    came.text !== '' && (typeof value === 'string' ? value : JSON.stringify(value)),
    cutsInWords(cuts, 'explain_request', { request: id ?? '' }),
  );
  const { rule, detail, warnings } = summary ?? {};
  const facts = { request: id, status, auth: login.way, rule, detail, warnings, scenario: found, failure };
  return { text, data: { ...facts, ...(retryAfter === null ? {} : { retryAfter }), body: value, cuts } };
}

function outcomeLine({ rule, basis, detail }: AdminSchema<'RequestSummary'>): string | undefined {
  if (rule === undefined) return undefined;
  const decided = `${rule}${basis ? ` (${basis})` : ''}`;
  return detail === undefined ? `Decided by ${decided}.` : `Refused by ${decided}: ${detail}`;
}

function scenarioLine({ id, struck, phase }: NonNullable<AdminSchema<'RequestSummary'>['scenario']>): string {
  return struck
    ? `The scenario ${id} was triggered${phase ? ` (${phase})` : ''}.`
    : `The scenario ${id} was not triggered.`;
}

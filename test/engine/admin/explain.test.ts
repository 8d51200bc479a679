import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { doorsOfWings } from '../../../spec/generate/doors.mjs';
import { questions, rules } from '../../../src/contract/generated/built/catalogue.js';
import { ruleBasis } from '../../../src/contract/generated/rule-basis.js';
import type { DialectCard, ExplainedRule } from '../../../src/engine/library.js';
import { adminOf } from '../../support/admin.js';
import { type Client, open } from '../../support/client.js';
import { accessTokenOf, bare, basic, bearer, refreshWith, UNKNOWN_TOKEN } from '../../support/credentials.js';
import { bookingFor, findTeeTime } from '../../support/scenes.js';

interface Row {
  readonly title: string;
  readonly answers?: DialectCard['answers'];
  readonly send: (client: Client) => Promise<unknown>;
  /** Rules and outcomes in order; what is chosen with the answer. */
  readonly want: readonly string[];
}

const authed = ['auth.required held', 'auth.basic chosen both'];
const failed = 'errors.body chosen message';
const book = async (client: Client, headers: Record<string, string> = {}) =>
  client.post('/api/v5/bookings', bookingFor(await findTeeTime(client)), { headers });
const bookIncomplete = async (client: Client) =>
  client.post('/api/v5/bookings', bookingFor(await findTeeTime(client), { contactEmail: undefined }));
const read = ['limits.body-size chosen 1048576', 'envelope.json-body chosen refused'];
const incomplete = [...authed, ...read, 'bookings.request.contactEmail refused'];

const rows: readonly Row[] = [
  {
    title: 'a list',
    send: (client) => client.get('/api/v3/facilities?country=Spain'),
    want: [...authed, 'facilities.query.country held', 'facilities.list.response held'],
  },
  {
    title: 'a wrong parameter',
    send: (client) => client.get('/api/v3/facilities?country=Spain&connected=maybe'),
    want: [
      ...authed,
      'facilities.query.country held',
      'facilities.query.connected refused',
      'errors.validation-status chosen 400',
      failed,
    ],
  },
  {
    title: 'a missing parameter, before one that is there',
    answers: { 'error.validation': 422, 'error.body': 'errors' },
    send: (client) => client.get('/api/v3/facilities?connected=true'),
    want: [
      ...authed,
      'facilities.query.country refused',
      'errors.validation-status chosen 422',
      'errors.body chosen errors',
    ],
  },
  {
    title: 'a booking without a field, which counts as a failed creation',
    send: bookIncomplete,
    want: [...incomplete, 'errors.create.invalid-body chosen failed-creation', failed],
  },
  {
    title: 'a booking without a field, which counts as an invalid request',
    answers: { 'booking.invalid-body': 'invalid-request' },
    send: bookIncomplete,
    want: [
      ...incomplete,
      'errors.create.invalid-body chosen invalid-request',
      'errors.validation-status chosen 400',
      failed,
    ],
  },
  {
    title: 'no credentials',
    answers: { 'auth.schemes': { v3: 'bearer' }, 'auth.failure': 403 },
    send: (client) => client.get('/api/v3/countries'),
    want: [
      'auth.required refused',
      'auth.bearer-header chosen Authorization',
      'auth.basic chosen bearer',
      'errors.auth-status chosen 403',
      failed,
    ],
  },
  {
    title: 'a wrong password',
    send: (client) => client.send('GET', '/api/v3/countries', { headers: basic('fairway', 's3cret') }),
    want: ['auth.required held', 'auth.basic refused both', 'errors.auth-status chosen 401', failed],
  },
  {
    title: 'a token that is not known',
    send: (client) => client.send('GET', '/api/v3/countries', { headers: bearer(UNKNOWN_TOKEN) }),
    want: [
      'auth.required held',
      'auth.bearer-header chosen Authorization',
      'auth.bearer refused',
      'errors.auth-status chosen 401',
      failed,
    ],
  },
  {
    title: 'a token in a header of its own',
    answers: { 'auth.bearer-header': 'X-Caller' },
    send: async (client) =>
      bare(client, 'GET', '/api/v3/countries', { headers: { 'x-caller': await accessTokenOf(client) } }),
    want: ['auth.required held', 'auth.bearer-header chosen X-Caller', 'auth.bearer held', 'countries.response held'],
  },
  {
    title: 'a refresh token that is not known',
    send: (client) => refreshWith(client, UNKNOWN_TOKEN),
    want: [
      'tokens.version chosen v1,v2,v3,v4,v5',
      'limits.body-size chosen 1048576',
      'envelope.json-body chosen refused',
      'tokens.refresh.body refused',
      'errors.token-status chosen 401',
      failed,
    ],
  },
  {
    title: 'a refresh without a token',
    send: (client) => refreshWith(client, undefined),
    want: [
      'tokens.version chosen v1,v2,v3,v4,v5',
      'limits.body-size chosen 1048576',
      'envelope.json-body chosen refused',
      'tokens.refresh.body refused',
      'errors.validation-status chosen 400',
      failed,
    ],
  },
  {
    title: 'a booking',
    answers: { 'rate-limit.per-minute': 100 },
    send: book,
    want: [
      ...authed,
      'limits.rate chosen 100',
      'limits.body-size chosen 1048576',
      'envelope.json-body chosen refused',
      'bookings.create held',
    ],
  },
  {
    title: 'a booking that a scenario strikes',
    send: (client) => book(client, { 'teebox-scenario': 'payment-pi-failed' }),
    want: [
      ...authed,
      'limits.body-size chosen 1048576',
      'envelope.json-body chosen refused',
      'errors.create.payment-pi-failed refused by payment-pi-failed',
      failed,
    ],
  },
  {
    title: 'a scenario that is none',
    send: (client) => book(client, { 'teebox-scenario': 'none' }),
    want: ['scenario refused'],
  },
  {
    title: 'a connection that breaks',
    send: (client) => {
      const headers = { 'teebox-scenario': 'connection-reset' };
      return expect(client.get('/api/v3/countries', { headers })).rejects.toThrow(TypeError);
    },
    want: ['scenario refused by connection-reset'],
  },
  {
    title: 'a path that is none',
    send: (client) => client.get('/api/v9/none'),
    want: ['versions.path refused', failed],
  },
];

function told({ rule, outcome, answer, scenario }: ExplainedRule): string {
  return `${rule} ${outcome}${answer === undefined ? '' : ` ${answer}`}${scenario ? ` by ${scenario}` : ''}`;
}

describe('the rules that decided', () => {
  test.each(rows)('$title', async ({ title, answers = {}, send, want }) => {
    const { fairway, sandbox } = await open({ dialect: { answers } });
    await send(fairway);
    const { requestId } = sandbox.journal.entries.at(-1)!;
    const { status, body } = await adminOf(sandbox)('GET', `requests/${requestId}/explain`);
    expect(status).toBe(200);
    expect(body.rules.map(told)).toEqual(want);
    expect(body).toEqual(JSON.parse(JSON.stringify(await sandbox.journal.explain(requestId))));
    const state = title.endsWith('breaks') ? 'cut' : 'answered';
    expect(body.request).toMatchObject({ id: requestId, state });
    for (const { rule, words, basis, source, question, answer } of body.rules as ExplainedRule[]) {
      if (rule === 'scenario') continue;
      const { statement, ...known } = rules.find(({ id }) => id === rule)!;
      expect({ words, basis, source }).toEqual({ words: statement, basis: known.basis, source: known.source });
      const isOpen = ruleBasis[rule as 'errors.body'] === 'open';
      expect(question !== undefined, rule).toBe(isOpen);
      // A question that is only noted has no answer.
      const isNoted = questions.some(({ id, kind }) => id === question?.id && kind === 'noted');
      expect(answer !== undefined, rule).toBe(isOpen && !isNoted);
    }
  });

  test('a question that each version may answer differently names the version called', async () => {
    const { fairway, sandbox } = await open({ dialect: { answers: { 'auth.schemes': { v4: 'basic' } } } });
    await fairway.get('/api/v4/bookings');
    const {
      rules: [, basicRule],
    } = await sandbox.journal.explain('req-1');
    const question = { id: 'auth.schemes', asks: expect.stringContaining('schemes'), version: 'v4' };
    expect(basicRule).toMatchObject({ question, answer: 'basic' });
  });

  test('such a question is answered by version where no operation was called', async () => {
    const { fairway, sandbox } = await open({ dialect: { answers: { 'payment.method': { v4: 'post' } } } });
    await fairway.get('/api/v4/bookings/payment/none');
    const { rules: reasons } = await sandbox.journal.explain('req-1');
    const { question, answer } = reasons.find(({ rule }) => rule === 'payments.method')!;
    expect(question).toEqual({ id: 'payment.method', asks: expect.any(String) });
    expect(answer).toEqual({ v1: 'both', v3: 'both', v4: 'post', v5: 'both' });
  });
});

test('what the journal does not have cannot be explained', async () => {
  const { sandbox } = await open();
  await expect(sandbox.journal.explain('req-1')).rejects.toThrow('There is no request `req-1` in the journal');
});

test('the catalogue is loaded when somebody asks, and not before', async () => {
  const { metafile } = await build({
    entryPoints: ['src/engine/library.ts'],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    outdir: 'unwritten',
    write: false,
    metafile: true,
    plugins: [doorsOfWings],
  });
  const { outputs } = metafile;
  const loaded = new Set(['unwritten/library.js']);
  for (const path of loaded) {
    const { imports } = outputs[path]!;
    for (const one of imports) if (one.kind === 'import-statement') loaded.add(one.path);
  }
  const holding = Object.keys(outputs).filter(
    (path) => 'src/contract/generated/built/catalogue.ts' in outputs[path]!.inputs,
  );
  expect(holding).toHaveLength(1);
  expect([...loaded]).not.toContain(holding[0]);
});

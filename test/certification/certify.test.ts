import { expect, test } from 'vitest';
import { applyKnownObligations } from '../../src/certification/known-obligations.js';
import { playCapsule } from '../../src/engine/play.js';
import {
  certify,
  type CertifyEvent,
  type CertifyOptions,
  digestText,
  type ExamEnvironment,
} from '../../src/certification/library.js';

const host = { now: () => Date.UTC(2026, 10, 22) };

/** Lists the countries with one body that has the wrong type, or none. */
function client(contentType = 'application/json'): CertifyOptions['attempt'] {
  return async ({ fetch, baseUrl, refreshToken }: ExamEnvironment) => {
    const refreshed = await fetch(`${baseUrl}/api/v3/token/refreshToken`, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body: JSON.stringify({ refresh_token: refreshToken }),
    });
    return { ok: refreshed.ok, said: `status ${refreshed.status}, token ${refreshToken}` };
  };
}

const happy = { exams: ['happy-day'], only: ['requests.content-type'], host } as const;

test('a client that meets an obligation is ready, and one that breaks it is not', async () => {
  const good = await certify({ ...happy, attempt: client() });
  expect(good).toMatchObject({
    verdict: 'ready',
    exitCode: 0,
    at: '2026-11-22T00:00:00.000Z',
    now: '2026-06-01T08:00:00.000Z',
    versions: [],
    exams: [{ id: 'happy-day', verdict: 'pass', calls: 1, client: { ok: true } }],
    obligations: [
      { id: 'requests.content-type', verdict: 'pass', exams: ['happy-day'], evidence: ['happy-day/req-1'] },
    ],
    counts: { pass: 1, fail: 0, 'not-seen': 0 },
    exchanges: [{ id: 'happy-day/req-1', kind: 'call', operation: 'refreshToken', status: 200 }],
  });
  const bad = await certify({ ...happy, attempt: client('text/plain') });
  expect(bad).toMatchObject({ verdict: 'not-ready', exitCode: 1, obligations: [{ verdict: 'fail' }] });
});

test('the sentence of a ready client says what is not known of it', async () => {
  const whole = await certify({ ...happy, attempt: client() });
  expect(whole.message).toBe('The client satisfied 1 of 1 obligation.');
  const partly = await certify({ ...happy, only: ['requests.content-type', 'payments.*'], attempt: client() });
  expect(partly).toMatchObject({
    verdict: 'ready',
    message: 'The client satisfied 1 of 4 obligations. 3 were not seen, so nothing is known about them.',
  });
});

test('a client that shows nothing is not ready', async () => {
  const seen = await certify({ ...happy, attempt: async () => ({ ok: true }) });
  expect(seen).toMatchObject({ verdict: 'too-little-seen', exitCode: 4 });
  expect(seen.message).toMatch(/^No request reached the sandbox\. .* TEEBOX_BASE_URL/);
  const failing = await certify({ ...happy, attempt: () => Promise.reject(new Error('no server')) });
  expect(failing).toMatchObject({
    verdict: 'too-little-seen',
    message: expect.stringContaining('when nothing goes wrong'),
    exams: [{ client: { ok: false, said: 'no server' } }],
  });
});

test('a client that leaves out the path of its base URL is told so, in the answer and in the end', async () => {
  const answers: string[] = [];
  const attempt: CertifyOptions['attempt'] = async ({ baseUrl, fetch }) => {
    for (const path of ['/api/v3/countries', '/api/v3/facilities?country=Spain']) {
      answers.push(await (await fetch(new Request(new URL(path, baseUrl)))).text());
    }
    return { ok: true };
  };
  const seen = await certify({ ...happy, attempt });
  expect(answers[0]).toContain('The path of the base URL is missing: it is /w/happy-day');
  expect(seen).toMatchObject({
    verdict: 'too-little-seen',
    message: expect.stringMatching(
      /^2 requests came to the host .* without its path, such as GET \/api\/v3\/countries:/,
    ),
  });
  const failing = await certify({ ...happy, attempt: async (...all) => ({ ...(await attempt(...all)), ok: false }) });
  expect(failing.message).toMatch(/when nothing goes wrong.* without its path/);
});

test('a client that only the first exam sees is not ready', async () => {
  let turn = 0;
  const once = client();
  const seen = await certify({
    ...happy,
    exams: ['happy-day', 'token-expired'],
    attempt: async (...all) => (turn++ === 0 ? once(...all) : { ok: true }),
  });
  expect(seen).toMatchObject({ verdict: 'too-little-seen', exitCode: 4 });
  expect(seen.message).toMatch(/^No request came in 1 of 2 exams, .* \(Nx, Turborepo, Gradle\)/);
});

test('a known failure whose violation is in doubt stays in the baseline', () => {
  const [id, verdict] = ['limits.retry-after', 'pass'] as const;
  const staleWith = (more: object): string[] =>
    applyKnownObligations([{ id, verdict, ...more }], [{ id }], '2026-06-01').stale;
  expect([staleWith({}), staleWith({ doubtful: { message: 'perhaps' } })]).toEqual([[id], []]);
});

test('a known failure does not decide, and one that is met again is to be removed', async () => {
  const known = [{ id: 'requests.content-type', issue: '#1' }];
  const bad = await certify({ ...happy, known, attempt: client('text/plain') });
  expect(bad).toMatchObject({ exitCode: 4, obligations: [{ verdict: 'fail', known }], stale: [] });
  const good = await certify({ ...happy, known, attempt: client() });
  expect(good).toMatchObject({ exitCode: 1, verdict: 'not-ready', stale: ['requests.content-type'] });
  const late = [{ id: 'requests.content-type', until: '2026-11-21' }];
  expect(await certify({ ...happy, known: late, attempt: client('text/plain') })).toMatchObject({ exitCode: 1 });
});

test('a repetition has the same digest, and another verdict has not', async () => {
  const digests = [];
  for (const type of ['application/json', 'application/json', 'text/plain']) {
    const certification = await certify({ ...happy, attempt: client(type) });
    digests.push(certification.digest);
    expect(digestText(certification)).toContain('"id":"happy-day"');
  }
  expect(digests[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(digests[1]).toBe(digests[0]);
  expect(digests[2]).not.toBe(digests[0]);
});

test('events tell what happens, and nothing that leaves has a secret', async () => {
  const events: CertifyEvent[] = [];
  let secrets: string[] = [];
  const attempt: CertifyOptions['attempt'] = async (environment) => {
    secrets = [environment.password, environment.refreshToken];
    return client('text/plain')(environment);
  };
  const certification = await certify({ ...happy, attempt, onEvent: (event) => events.push(event) });
  expect(events.map((event) => ('state' in event ? event.state : event.type))).toEqual([
    'start',
    'begun',
    'call',
    'breach',
    'ended',
    'end',
  ]);
  const text = JSON.stringify([events, certification]);
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});

test.each([
  [{ exams: ['nothing'] }, /No exam matches `nothing`/],
  [{ exams: ['happy-dya'] }, /Did you mean `happy-day`/],
  [
    { skip: ['*'] },
    /No exam is left to take\. `happy-day`: You left it out\.( `[^`]+`: You left it out\.){4} And \d+ more\.$/,
  ],
  [{ exams: ['happy-day'], skip: ['happy-*'] }, /No exam is left to take\. `happy-day`: You left it out\./],
  [{ only: ['request.*'] }, /No obligation matches/],
])('%o is refused before anything runs', async (options, message) => {
  const attempt = () => Promise.reject(new Error('must not run'));
  await expect(certify({ host, attempt, ...options })).rejects.toThrow(message);
});

test('an abort ends the run with its reason', async () => {
  const controller = new AbortController();
  const attempt = async () => {
    controller.abort(new Error('the client cannot be started'));
    return { ok: false };
  };
  const run = certify({ ...happy, attempt, signal: controller.signal });
  await expect(run).rejects.toThrow('the client cannot be started');
});

test.each([
  ['the tests pass otherwise: the variation is to blame', true, 'fail'],
  ['the tests fail anyway: it is not', false, 'not-seen'],
])('%s', async (_, steady, verdict) => {
  const attempt = async ({ exam, fetch, baseUrl, username, password }: ExamEnvironment) => {
    const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}` };
    const { data } = (await (await fetch(`${baseUrl}/api/v3/facilities/1001`, { headers })).json()) as {
      data: object[];
    };
    return { ok: steady && !('addedLater' in data[0]!), said: exam.id };
  };
  const only = ['robust.unknown-fields'];
  const certification = await certify({ host, attempt, only, exams: ['happy-day', 'unknown-fields'] });
  expect(certification.obligations).toMatchObject([{ verdict }]);
});

test('a person who uses the client by hand says nothing of its tests', async () => {
  const attempt: CertifyOptions['attempt'] = async (environment) => {
    await client()(environment);
    return {};
  };
  const seen = await certify({ ...happy, attempt });
  expect(seen).toMatchObject({ verdict: 'ready' });
});

test('a failure is a capsule that plays', async () => {
  const bad = await certify({ ...happy, attempt: client('text/plain') });
  expect(bad.obligations).toMatchObject([{ verdict: 'fail', capsule: 'happy-day' }]);
  const text = JSON.stringify(bad.capsules['happy-day']);
  expect(JSON.parse(text).steps).toMatchObject([{ kind: 'request', response: { status: 415 } }]);
  expect(await playCapsule(JSON.parse(text))).toMatchObject({ same: true, requests: 1 });
  const none = await certify({ ...happy, capsules: false, attempt: client('text/plain') });
  expect(none).toMatchObject({ capsules: {}, digest: bad.digest });
});

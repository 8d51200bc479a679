import { expect, test } from 'vitest';
import { certify, type CertifyEvent, type CertifyOptions } from '../../src/certification/library.js';

const host = { now: () => 0 };
const exams = ['happy-day', 'token-expired', 'refresh-lost', 'outage', 'non-ascii'];

function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

/** Refreshes its token, with a body of the wrong type in all exams but the happy day. */
async function refresh({
  exam,
  fetch,
  baseUrl,
  refreshToken,
}: Parameters<CertifyOptions['attempt']>[0]): Promise<void> {
  const headers = { 'content-type': exam.id === 'happy-day' ? 'application/json' : 'text/plain' };
  const body = JSON.stringify({ refresh_token: refreshToken });
  await fetch(`${baseUrl}/api/v3/token/refreshToken`, { method: 'POST', headers, body }).catch(() => {});
}

/** Lets each exam end only after the next one, so that they end in the reverse order. */
async function taken(jobs: number, isReversed = false) {
  const events: unknown[] = [];
  const ended: string[] = [];
  const [, ...others] = exams.slice(0, -1);
  const gates = new Map(others.map((id) => [id, gate()]));
  const certification = await certify({
    host,
    exams,
    jobs,
    only: ['requests.content-type'],
    onEvent: (event: CertifyEvent) => events.push(JSON.parse(JSON.stringify({ ...event, exchange: undefined }))),
    async attempt(environment) {
      const { id } = environment.exam;
      await refresh(environment);
      const next = others[others.indexOf(id) + 1];
      if (isReversed && next !== undefined && id !== 'happy-day') await gates.get(next)!.opened;
      ended.push(id);
      gates.get(id)?.open();
      return { ok: true };
    },
  });
  return { events, ended, certification };
}

test('exams that are taken at the same time are reported in their order, as if one came after the other', async () => {
  const one = await taken(1);
  const beside = await taken(3, true);
  expect(beside.ended).toEqual(['happy-day', 'outage', 'refresh-lost', 'token-expired']);
  expect(beside.events).toEqual(one.events);
  expect(beside.certification).toEqual(one.certification);
  expect(Object.keys(beside.certification.capsules)).toEqual(['token-expired']);
});

test('the exams end together: the reason is told when none of them goes on', async () => {
  const controller = new AbortController();
  const others = gate();
  let open = 0;
  const run = certify({
    host,
    exams: ['happy-day', 'outage', 'slow', 'maintenance'],
    jobs: 2,
    signal: controller.signal,
    async attempt(environment) {
      await refresh(environment);
      if (environment.exam.id === 'happy-day') return { ok: true };
      open += 1;
      if (open === 2) {
        controller.abort(new Error('enough'));
        setTimeout(others.open, 1);
      } else await others.opened;
      open -= 1;
      return { ok: true };
    },
  });
  await expect(run).rejects.toThrow('enough');
  expect(open).toBe(0);
});

test.each([
  ['happy-day', undefined],
  ['outage', 1],
  ['slow', 2],
] as const)('a run that is stopped in %s certifies the exams that were over', async (last, over) => {
  const stop = new AbortController();
  const run = certify({
    host,
    exams: ['happy-day', 'outage', 'slow', 'maintenance'],
    known: [{ id: 'requests.content-type', issue: 'GOLF-1' }],
    stop: stop.signal,
    async attempt(environment) {
      await refresh(environment);
      if (environment.exam.id === last) stop.abort(new Error('enough'));
      return { ok: true };
    },
  });
  if (over === undefined) return expect(run).rejects.toThrow('enough');
  const { verdict, exitCode, message, exams: taken, skipped, stale } = await run;
  expect({ verdict, exitCode, message, stale }).toEqual({
    verdict: 'too-little-seen',
    exitCode: 4,
    message: expect.stringMatching(`^The run was stopped after ${over} of 4 exams. The client satisfied`),
    stale: [],
  });
  expect(taken).toHaveLength(over);
  expect(skipped.map(({ why }) => why)).toEqual(Array(4 - over).fill('The run was stopped.'));
});

test.each([0, -1, 1.5, NaN])('%d exams at a time are refused', async (jobs) => {
  const attempt = () => Promise.reject(new Error('must not run'));
  await expect(certify({ host, jobs, attempt })).rejects.toThrow('`jobs` must be a whole number from 1 on');
});

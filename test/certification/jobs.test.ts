import { describe, expect, test } from 'vitest';
import {
  type Certification,
  certify,
  type CertifyEvent,
  type CertifyOptions,
  type ExamEnvironment,
} from '../../src/certification/library.js';

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

describe('a run that was stopped goes on', () => {
  const whole = {
    host,
    exams: ['happy-day', 'outage', 'slow', 'maintenance'],
    attempt: async (environment: ExamEnvironment) => {
      await refresh(environment);
      return { ok: true };
    },
  };
  let once: Promise<Certification> | undefined;
  const stopped = (): Promise<Certification> => (once ??= stop());
  const stop = async (): Promise<Certification> => {
    const controller = new AbortController();
    return certify({
      ...whole,
      stop: controller.signal,
      async attempt(environment) {
        if (environment.exam.id === 'slow') controller.abort(new Error('enough'));
        return whole.attempt(environment);
      },
    });
  };

  test('with the exams that are left, and ends as one that was not stopped', async () => {
    const resume = await stopped();
    const taken: string[] = [];
    const resumed = await certify({
      ...whole,
      resume: JSON.parse(JSON.stringify(resume)) as Certification,
      attempt(environment) {
        taken.push(environment.exam.id);
        return whole.attempt(environment);
      },
    });
    expect(taken).toEqual(['happy-day', 'slow', 'maintenance']);
    const { digest, message, exams, obligations, counts } = await certify(whole);
    expect({ digest: resumed.digest, message: resumed.message, counts: resumed.counts }).toEqual({
      digest,
      message,
      counts,
    });
    expect(resumed.exams.map(({ id }) => id)).toEqual(exams.map(({ id }) => id));
    const verdicts = (all: Certification['obligations']) =>
      all.map((one) => [one.id, one.exams, one.breaches, one.evidence]);
    expect(verdicts(resumed.obligations)).toEqual(verdicts(obligations));
    expect(resumed.skipped).toEqual([]);
  });

  const other: readonly [string, Partial<CertifyOptions>, (certificate: Certification) => Certification, RegExp][] = [
    ['that was changed', {}, (one) => ({ ...one, verdict: 'ready' }), /was changed after it was written/],
    ['of another seed', { seed: 8 }, (one) => one, /has another seed than this run/],
    ['of another dialect', { dialect: { answers: { 'error.code': 'none' } } }, (one) => one, /has another dialect/],
    ['of other obligations', { only: ['tokens.*'] }, (one) => one, /has another list of obligations/],
    [
      'of more exams',
      { exams: ['happy-day', 'slow'] },
      (one) => one,
      /has the exam `outage`, which this run leaves out/,
    ],
    ['of all exams', { exams: ['happy-day', 'outage'] }, (one) => one, /has all exams of this run/],
    [
      'of another client',
      { attempt: async () => ({ ok: true }) },
      (one) => one,
      /has other verdicts for the happy path than the client shows now/,
    ],
  ];
  test.each(other)('but not with the certificate %s', async (_, options, change, why) => {
    await expect(certify({ ...whole, ...options, resume: change(await stopped()) })).rejects.toThrow(why);
  });
});

import { describe, expect, test } from 'vitest';
import { certify, type CertifyOptions, exams as catalogue } from '../../src/certification/library.js';
import { type ReachStep, reachSteps, StepClient } from '../support/certify/step-client.js';

const soon = (work: () => void): (() => void) => {
  const timer = setTimeout(work, 0);
  return () => clearTimeout(timer);
};

/** Lets a client take exams, or one of them, and returns what it got in each, without the address of the exam. */
async function walk(steps: readonly ReachStep[], options: Partial<CertifyOptions> = {}, exam?: string) {
  const seen = new Map<string, string>();
  const add = (exam: string, text: string): void =>
    void seen.set(exam, (seen.get(exam) ?? '') + text.replaceAll(exam, 'EXAM'));
  const certification = await certify({
    host: { now: () => 0 },
    schedule: soon,
    async fetch(url, { headers, body }) {
      const lines = JSON.stringify([...new Headers(headers)]).replace(/"t=[^"]*"/, '""');
      add(new URL(url).pathname.slice(1), `${lines} ${body as string}\n`);
      return new Response(null, { status: 200 });
    },
    delays: { slow: 1, hang: 1, late: 1 },
    capsules: false,
    async attempt(environment) {
      const { id } = environment.exam;
      const client = new StepClient(environment);
      if (exam === undefined || id === exam) await client.take(steps);
      add(id, client.seen);
      return { ok: true };
    },
    ...options,
  });
  return { seen, certification };
}

/** What a client skips. It does nothing in the exams that it takes. */
async function selected(steps: readonly ReachStep[]) {
  const { seen, certification } = await walk(steps, {}, 'happy-day');
  return { seen, certification, skipped: certification.skipped.map(({ id }) => id) };
}

const alone = reachSteps.filter((step) => !['sheet', 'book', 'group', 'pay'].includes(step));
const clients: readonly (readonly ReachStep[])[] = [
  ...alone.map((step) => [step]),
  ['refresh', 'book', 'group', 'pay'],
];

/** Those of the fast list: they skip the most different exams. */
const fewSteps = /^(countries|search|refresh, book.*)$/;
const named = clients.map((steps) => ({ name: steps.join(', '), steps }));

describe.each(named)('a client that does: $name', ({ name, steps }) => {
  const tags = fewSteps.test(name) ? [] : ['slow'];
  test('meets in the exams that it skips what it meets on the happy day', { tags }, async () => {
    const { seen, skipped } = await selected(steps);
    expect(skipped.length).toBeGreaterThan(0);
    const forced = await walk(steps, { exams: skipped, skip: ['happy-day'], only: ['tokens.newest'] });
    expect([...forced.seen].filter(([, text]) => text !== seen.get('happy-day')).map(([id]) => id)).toEqual([]);
    expect([...forced.seen.keys()].sort()).toEqual([...skipped].sort());
  });
});

test('a client that does everything skips nothing', async () => {
  expect((await selected(reachSteps)).skipped).toEqual([]);
});

test.each<[readonly ReachStep[], RegExp, RegExp]>([
  [['refresh', 'book'], /^(callback-|payment-answer|small-pages|group-)/, /^(token|refresh|booking|failed|other)/],
  [
    ['search'],
    /^(token|strict|refresh|booking-|payment-|cart|price|tee-|small)/,
    /^(callback|outage|rate-limited$|non-)/,
  ],
])('a client that does %j skips what it cannot meet, and nothing else', async (steps, out, taken) => {
  const { skipped, certification } = await selected(steps);
  const ids = catalogue.map(({ id }) => id);
  expect(ids.filter((id) => out.test(id) && !skipped.includes(id))).toEqual([]);
  expect(skipped.filter((id) => taken.test(id))).toEqual([]);
  expect([...skipped, ...certification.exams.map(({ id }) => id)].sort()).toEqual([...ids].sort());
});

test('a person who uses the client by hand may do more in another exam, so nothing is skipped', async () => {
  const { certification } = await walk(['countries'], { attempt: async () => ({}) });
  expect(certification.skipped).toEqual([]);
});

test('an exam that is skipped passes no obligation, and the reports say why it was', async () => {
  const { certification } = await selected(['countries']);
  expect(certification.skipped).toContainEqual({
    id: 'payment-answer-lost',
    why: 'On the happy path, the client confirmed no payment.',
  });
  const payments = certification.obligations.filter(({ id }) => id.startsWith('payments.'));
  expect(new Set(payments.map(({ verdict }) => verdict))).toEqual(new Set(['not-seen']));
  const nothing = await walk([]);
  expect(nothing.certification).toMatchObject({ exitCode: 4, exams: [{ id: 'happy-day' }] });
  expect(nothing.certification.skipped[0]!.why).toBe('On the happy path, the client sent no request.');
});

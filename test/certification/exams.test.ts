import { describe, expect, test } from 'vitest';
import type { PlanView } from '../../src/engine/library.js';
import { certify, type CertifyEvent, type CertifyOptions, exams } from '../../src/certification/library.js';
import { Walker } from '../support/certify/walker.js';

interface Met {
  readonly answers: readonly string[];
  readonly plans: readonly PlanView[];
  /** What was sent and received, without ids of tokens. */
  readonly traffic: string;
}

const soon = (work: () => void): (() => void) => {
  const timer = setTimeout(work, 0);
  return () => clearTimeout(timer);
};

/** Walks through exams; the client's tests pass in all of them. */
async function walk(options: Partial<CertifyOptions> = {}) {
  const met = new Map<string, Met>();
  const traffic = new Map<string, string[]>();
  const certification = await certify({
    host: { now: () => 0 },
    schedule: soon,
    fetch: async () => new Response(null, { status: 200 }),
    delays: { slow: 1, hang: 1, late: 1 },
    onEvent: (event: CertifyEvent) => {
      if (event.type !== 'call' && event.type !== 'delivery') return;
      const { operation, status, requestBody, responseBody } = event.exchange!;
      const sent = event.type === 'delivery' ? requestBody : '';
      traffic.set(event.exam, [
        ...(traffic.get(event.exam) ?? []),
        JSON.stringify([operation, status, sent, responseBody]),
      ]);
    },
    attempt: async (environment) => {
      const walker = new Walker(environment);
      await walker.walk();
      const { plans } = environment.sandbox.scenarios;
      met.set(environment.exam.id, { answers: walker.met, plans, traffic: '' });
      return { ok: true };
    },
    ...options,
  });
  for (const [id, texts] of traffic) {
    // Answers name the address of the exam, which differs in each.
    met.set(id, { ...met.get(id)!, traffic: texts.join('\n').replaceAll(`/w/${id}/`, '/') });
  }
  return { met, certification };
}

const taken = await walk();
const of = (id: string): Met => taken.met.get(id)!;

describe.each(exams.map(({ id }) => id).filter((id) => id !== 'happy-day'))('%s', (id) => {
  test('a client that does not expect it meets it', () => {
    const { plans, traffic } = of(id);
    // A plan for bulk bookings or bulk payments strikes no client that has none of them.
    const due = plans.filter(({ operation }) => !operation?.includes('Bulk'));
    expect(due.filter(({ struck }) => struck === 0)).toEqual([]);
    // Signatures are in the headers of callbacks, which no event shows.
    if (plans.length === 0 && id !== 'callback-signed') expect(traffic).not.toBe(of('happy-day').traffic);
  });
});

test('the ids, titles and sentences of exams tell them apart', () => {
  for (const key of ['id', 'title', 'does'] as const) {
    expect(new Set(exams.map((exam) => exam[key])).size).toBe(exams.length);
  }
  expect(exams.filter(({ id, does }) => !/^[a-z]+(-[a-z]+)*$/.test(id) || !does.endsWith('.'))).toEqual([]);
  expect(exams[0]!.id).toBe('happy-day');
});

test('happy day: everything is answered', () => {
  expect(new Set(of('happy-day').answers.map((answer) => answer.split(' ').at(-1)))).toEqual(new Set(['200']));
});
test('an outage without JSON: each server error is a page', () => {
  const answers = of('outage-without-json')
    .traffic.split('\n')
    .map((line) => JSON.parse(line) as [operation: string, status: number, sent: string, body: string]);
  const failed = answers.filter(([, status]) => status >= 500).map(([, status, , body]) => [status, body.slice(0, 9)]);
  expect(failed).toEqual([
    [500, '<!doctype'],
    [500, '<!doctype'],
  ]);
});

test(
  'the same exams with the same seed are the same, and those of another seed are not',
  { tags: ['slow'] },
  async () => {
    const some = { exams: ['happy-day', 'token-expired', 'booking-answer-lost', 'callback-repeated'] };
    const [again, other] = [await walk(some), await walk({ ...some, seed: 7 })];
    for (const [id, { traffic }] of again.met) expect([id, traffic]).toEqual([id, of(id).traffic]);
    expect(other.met.get('happy-day')!.traffic).not.toBe(of('happy-day').traffic);
    const repeated = await walk(some);
    expect(repeated.certification.digest).toBe(again.certification.digest);
    expect(repeated.certification.digest).not.toBe(other.certification.digest);
  },
);

const dialect = { answers: { 'booking.net-rate-check': 'unchecked', 'error.body': 'error' } } as const;
const course = { id: 7, name: 'Lac', products: [{ id: 265, name: 'Green fee', price: 85 }] };
const facilities = [{ id: 9001, name: 'Golf de Vallon', country: 'France', courses: [course] }];

test.each<[where: string, options: Partial<CertifyOptions>]>([
  ['of a card', { dialect }],
  ['of a world file', { world: { extends: 'default', dialect, facilities } }],
])('the answers %s come first: an exam that would change one is left out', async (_, options) => {
  const { certification } = await walk({
    ...options,
    versions: ['v2', 'v4'],
    exams: ['price-*', '*errors*', 'small-pages'],
  });
  expect(certification.exams.map(({ id }) => id)).toEqual(['happy-day', 'price-changed', 'other-errors']);
  expect(certification.skipped).toEqual([
    { id: 'price-changed-checked', why: 'It is about v3 and v5, which the client does not use.' },
    { id: 'small-pages', why: 'It is about v5, which the client does not use.' },
    { id: 'errors-in-data', why: 'The dialect card answers `error.body`.' },
  ]);
  expect(certification.dialect).toEqual(dialect);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Evidence, Newest } from '../../src/certification/kept-exchanges.js';
import { certify, type CertifyEvent } from '../../src/certification/library.js';
import type { KeptExchange } from '../../src/certification/shown-exchange.js';

const MOST = { count: 5, characters: 20 };

test('the newest exchanges are kept, at most so many and so long', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30), { maxLength: 50 }), (sizes) => {
      const newest = new Newest<{ readonly size: number; readonly nth: number }>(MOST);
      sizes.forEach((size, nth) => newest.keep(String(nth), { size, nth }));
      const kept = [...newest.values()];
      expect(kept.map(({ nth }) => nth)).toEqual(kept.map((_, at) => sizes.length - kept.length + at));
      const characters = kept.reduce((sum, { size }) => sum + size, 0);
      expect(kept.length <= MOST.count && characters <= MOST.characters).toBe(true);
      const before = sizes.at(-kept.length - 1);
      const isFull = before === undefined || kept.length === MOST.count || characters + before > MOST.characters;
      expect(isFull).toBe(true);
    }),
  );
});

test('what shows the verdicts of all exams has one limit', () => {
  const evidence = new Evidence();
  const show = () => expect.unreachable();
  const kept = Array.from({ length: 8 }, (_, exam) => {
    const traffic = new Newest<KeptExchange>({ count: 2000, characters: 8_388_608 });
    for (let nth = 0; nth < 4; nth += 1) traffic.keep(`${exam}/${nth}`, { size: 1_000_000, show });
    return evidence.of([{ evidence: [`${exam}/1`, `${exam}/2`] }], traffic).size;
  });
  expect(kept).toEqual([2, 2, 2, 2, 0, 0, 0, 0]);
});

test(
  'an event of an exam that waits for its turn holds no call that is no longer kept',
  { tags: ['slow'] },
  async () => {
    const calls: CertifyEvent[] = [];
    await certify({
      host: { now: () => 0 },
      exams: ['small-pages', 'unknown-fields'],
      skip: ['happy-day'],
      jobs: 2,
      attempt: async ({ exam, fetch, baseUrl }) => {
        const times = exam.id === 'small-pages' ? 1 : 2001;
        for (let nth = 0; nth < times; nth += 1) await fetch(`${baseUrl}/api/v3/none`);
        return { ok: true };
      },
      onEvent: (event) => void (event.type === 'call' && calls.push(event)),
    });
    const shown = calls.map((event) => ('exchange' in event ? event.exchange?.id : undefined));
    expect(shown.length).toBe(2002);
    expect(shown.filter((id) => id === undefined).length).toBe(1);
  },
);

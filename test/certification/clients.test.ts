import { expect, test } from 'vitest';
import { clientMutants } from './clients/mutants/index.js';
import { certifyShop } from './clients/support/in-process.js';

/** A few of the defects; `npm run test:clients` has them all, in all exams and dialects. */
const representatives = ['refreshes-before-each-call', 'pays-for-others', 'books-again-after-lost-answer'];

test('the correct client meets what a happy day shows, and everything that it wants to do is done', async () => {
  const { obligations, exams } = await certifyShop(undefined, { exams: ['happy-day'] });
  expect(obligations.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(exams).toMatchObject([{ verdict: 'pass', client: { ok: true } }]);
});

test.each(representatives)('%s is failed by the obligation that names it', async (wanted) => {
  const { name, plant, exams, breaks, also } = clientMutants.find((mutant) => mutant.name === wanted)!;
  const { obligations, exitCode } = await certifyShop(plant, { exams });
  const failed = obligations.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  expect([name, ...failed.sort()]).toEqual([name, ...[breaks, ...Object.keys(also ?? {})].sort()]);
  expect(exitCode).toBe(1);
});

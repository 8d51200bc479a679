/** @module-tag always */
import { describe, expect, test } from 'vitest';
import { exams } from '../../../src/certification/exams/index.js';
import { obligationSpecs } from '../../../src/certification/obligations/index.js';
import { clientMutants, unbreakable } from '../clients/mutants/index.js';
import { certifyShop } from '../clients/support/in-process.js';

describe.each(clientMutants)('$name: $does', ({ breaks, also = {}, exams: taken, plant }) => {
  test(`${breaks} fails it, and nothing else does`, async () => {
    // The exams that vary only a form judge by what the client did when nothing was varied.
    const { obligations } = await certifyShop(plant, { exams: ['happy-day', ...taken] });
    const failed = obligations.filter(({ verdict }) => verdict === 'fail');
    expect(failed.map(({ id }) => id).sort()).toEqual([breaks, ...Object.keys(also)].sort());
    for (const { message, expected, evidence } of failed) {
      expect(message).toMatch(/\.$/);
      expect(expected).toMatch(/\.$/);
      expect(evidence).not.toEqual([]);
    }
  });
});

test('every obligation is named by a mutant, or says why it cannot be', () => {
  const named = new Set([...clientMutants.map(({ breaks }) => breaks), ...Object.keys(unbreakable)]);
  expect(obligationSpecs.map(({ id }) => id).filter((id) => !named.has(id))).toEqual([]);
  expect(Object.keys(unbreakable).filter((id) => clientMutants.some(({ breaks }) => breaks === id))).toEqual([]);
});

test('there are at least 40, of different names, in exams that exist', () => {
  expect(clientMutants.length).toBeGreaterThanOrEqual(40);
  expect(new Set(clientMutants.map(({ name }) => name)).size).toBe(clientMutants.length);
  const known = exams.map(({ id }) => id);
  expect(clientMutants.flatMap((mutant) => mutant.exams).filter((id) => !known.includes(id))).toEqual([]);
});

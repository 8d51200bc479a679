/** @module-tag always */
import { beforeAll, expect, test } from 'vitest';
import type { Certification } from '../../../src/certification/library.js';
import { exams } from '../../../src/certification/exams/index.js';
import { obligationSpecs } from '../../../src/certification/obligations/index.js';
import { clientMutants } from '../clients/mutants/index.js';
import { certifyShop } from '../clients/support/in-process.js';
import { complaintsOf } from './complaints.js';

let certification: Certification;
beforeAll(async () => {
  certification = await certifyShop();
});

test('the correct client is ready: it meets every obligation in the exams', () => {
  expect(complaintsOf(certification)).toEqual([]);
  expect(certification).toMatchObject({ verdict: 'ready', exitCode: 0 });
  expect(certification.exams.map(({ id }) => id)).toEqual(exams.map(({ id }) => id));
  expect(certification.obligations.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
  expect(certification.obligations).toHaveLength(obligationSpecs.length);
});

test('each exam shows what it names: the correct client meets it there, or a mutant breaks it', () => {
  const isMet = (exam: string, id: string): boolean =>
    certification.exams.some((one) => one.id === exam && one.results.some((r) => r.id === id && r.verdict === 'pass'));
  const isBroken = (exam: string, id: string): boolean =>
    clientMutants.some(({ breaks, exams: taken }) => breaks === id && taken.length === 1 && taken[0] === exam);
  const unseen = exams.flatMap(({ id: exam, shows }) =>
    shows.filter((id) => !isMet(exam, id) && !isBroken(exam, id)).map((id) => `${exam}: ${id}`),
  );
  expect(unseen).toEqual([]);
});

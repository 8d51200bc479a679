import { beforeAll, expect, test } from 'vitest';
import type { Certification } from '../../../src/certify/index.js';
import { exams } from '../../../src/certify/exams/index.js';
import { obligationSpecs } from '../../../src/obligations/index.js';
import { certifyShop } from '../clients/support/in-process.js';
import { complaintsOf } from './judged.js';

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

test('each obligation that exams name is met in one of those', () => {
  const metIn = (exam: string): string[] =>
    certification.exams
      .filter(({ id }) => id === exam)
      .flatMap(({ results }) => results.flatMap(({ id, verdict }) => (verdict === 'pass' ? [id] : [])));
  const named = new Set(exams.flatMap(({ shows }) => shows));
  const met = new Set(exams.flatMap(({ id, shows }) => metIn(id).filter((one) => (shows as string[]).includes(one))));
  expect([...named].filter((id) => !met.has(id))).toEqual([]);
});

import { expect } from 'vitest';
import type { Certification } from '../../../src/certification/library.js';
import { exams } from '../../../src/certification/exams/index.js';
import { happyDay } from '../../../src/certification/exams/happy-day.js';
import type { GivenAnswers } from '../../../src/contract/generated/questions.js';
import { certifySuite, type SuiteOptions } from '../clients/suites/certify-suite.js';
import { certifyShop } from '../clients/support/in-process.js';

function violationsOf({ obligations }: Pick<Certification, 'obligations'>): string[] {
  const failed = obligations.filter(({ verdict }) => verdict === 'fail');
  return failed.map(({ id, exams: taken, message }) => `${id} in ${taken.join(', ')}: ${message}`);
}

/** What is to be complained of about the correct client: nothing. */
export function complaintsOf(certification: Certification): string[] {
  const ended = certification.exams.flatMap(({ id, client }) => (client.ok ? [] : [`${id}: ${client.said ?? 'hung'}`]));
  return [...violationsOf(certification), ...ended];
}

/** What is to be complained of in a dialect: in the happy day, and in one of the other exams, which take turns. */
export async function complaintsIn(answers: GivenAnswers, index: number): Promise<string[]> {
  const others = exams.filter((exam) => exam !== happyDay);
  const taken = [happyDay, others[index % others.length]!].map(({ id }) => id);
  return complaintsOf(await certifyShop(undefined, { dialect: { answers }, exams: taken }));
}

/** The header by which a suite names its tests, and each attempt of one. */
export const named = (name: string, attempt: number) => ({
  'teebox-test': attempt === 0 ? name : `${name} (retry ${attempt})`,
});

/** What a client without a defect is accused of. Its tests pass on the happy day. */
export async function accusations(how: SuiteOptions): Promise<string[]> {
  const certification = await certifySuite(how);
  expect(certification.exams[0]).toMatchObject({ id: 'happy-day', client: { ok: true } });
  return violationsOf(certification);
}

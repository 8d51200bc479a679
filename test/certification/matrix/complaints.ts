import type { Certification } from '../../../src/certification/library.js';
import { exams } from '../../../src/certification/exams/index.js';
import { happyDay } from '../../../src/certification/exams/happy-day.js';
import type { GivenAnswers } from '../../../src/contract/generated/questions.js';
import { certifyShop } from '../clients/support/in-process.js';

/** What is to be complained of about the correct client: nothing. */
export function complaintsOf(certification: Certification): string[] {
  const failed = certification.obligations.flatMap(({ id, verdict, message, exams }) =>
    verdict === 'fail' ? [`${id} in ${exams.join(', ')}: ${message}`] : [],
  );
  const ended = certification.exams.flatMap(({ id, client }) => (client.ok ? [] : [`${id}: ${client.said ?? 'hung'}`]));
  return [...failed, ...ended];
}

/** What is to be complained of in a dialect: in the happy day, and in one of the other exams, which take turns. */
export async function complaintsIn(answers: GivenAnswers, index: number): Promise<string[]> {
  const others = exams.filter((exam) => exam !== happyDay);
  const taken = [happyDay, others[index % others.length]!].map(({ id }) => id);
  return complaintsOf(await certifyShop(undefined, { dialect: { answers }, exams: taken }));
}

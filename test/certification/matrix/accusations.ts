import { expect } from 'vitest';
import { certifySuite, type SuiteOptions } from '../clients/suites/certify-suite.js';

/** The header by which a suite names its tests, and each attempt of one. */
export const named = (name: string, attempt: number) => ({
  'teebox-test': attempt === 0 ? name : `${name} (retry ${attempt})`,
});

/** What a client without a defect is accused of. Its tests pass on the happy day. */
export async function accusations(how: SuiteOptions): Promise<string[]> {
  const { obligations, exams } = await certifySuite(how);
  expect(exams[0]).toMatchObject({ id: 'happy-day', client: { ok: true } });
  const failed = obligations.filter(({ verdict }) => verdict === 'fail');
  return failed.map(({ id, exams: taken, message }) => `${id} in ${taken.join(', ')}: ${message}`);
}

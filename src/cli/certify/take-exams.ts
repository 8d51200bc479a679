import { type Certification, certify } from '../../certification/index.js';
import { Misfit } from '../../common/index.js';
import { UsageError } from '../usage-error.js';
import { type ClientTests, runClientTests } from './client-tests.js';
import { startExamServer } from './exam-server.js';
import type { ExamOptions } from './options.js';

/**
 * Lets a command take exams, each at an address of its own.
 *
 * @param signal Ends the exams: the reason is thrown on.
 * @throws {UsageError} for an option that does not fit.
 */
export async function takeExamsBy(
  tests: ClientTests,
  options: ExamOptions,
  signal: AbortSignal,
): Promise<Certification> {
  const { listen, close } = await startExamServer(0);
  try {
    return await certify({ ...options, attempt: (environment) => runClientTests(tests, environment), listen, signal });
  } catch (error) {
    throw error instanceof Misfit ? new UsageError(error.advice) : error;
  } finally {
    await close();
  }
}

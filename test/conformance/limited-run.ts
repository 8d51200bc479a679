import { check } from '../../src/conformance/run/check.js';
import type { CheckOptions } from '../../src/conformance/run/check-options.js';
import { memoryJournal } from '../../src/conformance/client/credentials.js';
import { deploy } from './deployment.js';

/** The credentials that a run may have been given. */
export const given = { basic: true, token: false, second: false };
export type Given = typeof given;

/** A run with some credentials, its requests as the deployment saw them, and what its journal of tokens was told. */
export async function runWith({ basic, token, second }: Given, changes: Partial<CheckOptions>) {
  const { sandbox, sent, options } = await deploy();
  const told: string[] = [];
  const [first, other] = sandbox.channels.map(({ username, password, refreshToken }) => {
    const kept = memoryJournal(refreshToken!);
    const journal = {
      ...kept,
      intent: async (spent: string) => (told.push('intent'), kept.intent(spent)),
      result: async (pair: Parameters<typeof kept.result>[0]) => (told.push('result'), kept.result(pair)),
    };
    return { ...(basic ? { basic: { username, password } } : {}), ...(token ? { journal } : {}) };
  });
  const { second: _, ...alone } = options;
  const report = await check({ ...alone, first: first!, ...(second ? { second: other! } : {}), ...changes });
  return { report, sent, told };
}

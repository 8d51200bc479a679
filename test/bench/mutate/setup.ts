// Runs before each test file of a mutation run: switches the mutation on, or records which tests reach which mutations.
import { appendFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, expect, inject } from 'vitest';

const mutant = inject('mutant');
const reached = inject('reached');
const file = expect.getState().testPath;
const seen = new Map<string, readonly [mutant: number, test: string | null]>();
/** The id of the test that runs; null while files are loaded, and in hooks around several tests. */
let running: string | null = null;

const isOn = (id: number): boolean => {
  if (reached !== '') seen.set(`${id} ${running}`, [id, running]);
  return id === mutant;
};
Object.assign(globalThis, { mutant: isOn });

beforeEach(({ task }) => void (running = task.id));
afterEach(() => void (running = null));
afterAll(() => {
  const lines = [...seen.values()].map(([id, test]) => `${JSON.stringify({ mutant: id, test, file })}\n`);
  if (reached !== '') appendFileSync(reached, lines.join(''));
});

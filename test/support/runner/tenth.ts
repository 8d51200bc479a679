import type { RunnerTestCase, RunnerTestFile, RunnerTestSuite } from 'vitest';
import { TestRunner } from 'vitest';

/**
 * Runs one tenth of the tests, which TEEBOX_TENTH names (0 to 9), and all with the tag `always`. The name of a file alone
 * decides in which tenth its tests are, since they may tell a story together; in a matrix, the name of each test does. So ten
 * runs with ten numbers run all of them.
 */
export default class TenthRunner extends TestRunner {
  onCollected(files: RunnerTestFile[]): void {
    for (const file of files) leaveOut(file, file.name, file.name.includes('/matrix/'));
  }
}

const chosen = Number(process.env['TEEBOX_TENTH']);

/** Skips what is not chosen. A suite without a chosen test is skipped as a whole, so that its hooks do not run. */
function leaveOut(suite: RunnerTestSuite, path: string, isMatrix: boolean): boolean {
  let isEmpty = true;
  for (const task of suite.tasks) {
    const name = isMatrix ? `${path} > ${task.name}` : path;
    if (task.type === 'suite') isEmpty = leaveOut(task, name, isMatrix) && isEmpty;
    else if (task.mode === 'run' && !isChosen(task, name)) task.mode = 'skip';
    else isEmpty &&= task.mode !== 'run';
  }
  if (isEmpty && suite.mode === 'run') suite.mode = 'skip';
  return isEmpty;
}

function isChosen({ tags }: RunnerTestCase, name: string): boolean {
  return tags?.includes('always') || hashOf(name) % 10 === chosen;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

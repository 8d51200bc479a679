import { readFileSync, writeFileSync } from 'node:fs';
import type { Outcome } from '../../mutants/kill.js';

/** A list as JSON with one item a line, so that a diff shows what changed. */
const linesOf = (items: readonly unknown[]): string =>
  `[\n${items.map((item) => `  ${JSON.stringify(item)}`).join(',\n')}\n]\n`;

/**
 * Reads the outcomes recorded in a file, after it has written them there if `write` is set.
 *
 * @throws {Error} when fewer or more mutants ran than the part has. Nothing is written then.
 */
export function recordedIn(file: URL, outcomes: readonly Outcome[], mutants: number, write: boolean): unknown {
  if (outcomes.length !== mutants) {
    const advice = 'Run the part without -t, .only and .skip: npm run test:matrix -- test/conformance/matrix/kill';
    throw new Error(`${outcomes.length} of ${mutants} mutants ran, so the matrix is incomplete. ${advice}`);
  }
  if (write) writeFileSync(file, linesOf(outcomes));
  return JSON.parse(readFileSync(file, 'utf8'));
}

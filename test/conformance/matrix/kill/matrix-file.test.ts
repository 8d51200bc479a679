import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Outcome } from '../../mutants/kill.js';
import { recordedIn } from './matrix-file.js';

const folder = mkdtempSync(join(tmpdir(), 'kill-matrix-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = pathToFileURL(join(folder, 'part.json'));
const outcome: Outcome = { rule: 'countries.list', basis: 'stated', defect: 'lists no country', verdict: 'fail' };
const earlier = { ...outcome, defect: 'recorded earlier' };

describe('the file of a part', () => {
  test.each([
    ['a filtered run', 1],
    ['a run of no mutant', 0],
    ['a mutant that ran twice', 3],
  ])('is not written by %s', (_, count) => {
    writeFileSync(file, JSON.stringify([earlier]));
    const outcomes = Array.from({ length: count }, () => outcome);
    expect(() => recordedIn(file, outcomes, 2, true)).toThrow(
      `${count} of 2 mutants ran, so the matrix is incomplete. Run the part without -t`,
    );
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([earlier]);
  });

  test('is written by a whole run, one outcome a line', () => {
    expect(recordedIn(file, [outcome, earlier], 2, true)).toEqual([outcome, earlier]);
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(lines).toEqual(['[', `  ${JSON.stringify(outcome)},`, `  ${JSON.stringify(earlier)}`, ']', '']);
  });

  test('is only read where nothing is to be written', () => {
    writeFileSync(file, JSON.stringify([earlier]));
    expect(recordedIn(file, [outcome], 1, false)).toEqual([earlier]);
  });
});

import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { consoleLine, counted } from '../../common/index.js';
import type { Playback } from '../../engine/index.js';
import type { Terminal } from '../terminal.js';
import { UsageError } from '../usage-error.js';

/**
 * Writes a test of Vitest beside a capsule.
 *
 * @throws {UsageError} if the file exists, or cannot be written.
 */
export async function writeTest(file: string, { requests }: Playback, { out }: Terminal): Promise<number> {
  const name = basename(file);
  const test = join(dirname(file), `${name.replace(/\.json$/, '')}.test.ts`);
  try {
    // Never over a file that somebody may have changed.
    await writeFile(test, testOf(name, requests), { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `Failed to write ${test}: ${code === 'EEXIST' ? 'the file exists; remove it first' : `it cannot be written (${code})`}.`,
    );
  }
  out(consoleLine(`${test} plays ${name}. Run it with: npx vitest run ${test}`));
  return 0;
}

function testOf(name: string, requests: number): string {
  const title = `${name}: ${counted(requests, 'request')} with the same responses, byte for byte`;
  return `// Written by \`teebox replay --to-test vitest\`. It needs teebox and the capsule beside it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { playCapsule } from 'teebox/capsules';
import { expect, test } from 'vitest';

test(${JSON.stringify(title)}, async () => {
  const text = await readFile(join(import.meta.dirname, ${JSON.stringify(name)}), 'utf8');
  const { differences } = await playCapsule(JSON.parse(text));
  expect(differences).toEqual([]);
});
`;
}

/** Where the test of a capsule has it from: a file next to it, or its own text. */
type CapsulePlace = { readonly file: string } | { readonly capsule: unknown };

/** A test for Vitest that plays a capsule. `by` is what wrote it. */
export function capsuleTest(title: string, by: string, place: CapsulePlace): string {
  const isFile = 'file' in place;
  const imports = isFile ? "import { readFile } from 'node:fs/promises';\nimport { join } from 'node:path';\n" : '';
  const read = isFile
    ? `  const text = await readFile(join(import.meta.dirname, ${JSON.stringify(place.file)}), 'utf8');\n`
    : '';
  const own = isFile ? '' : `\nconst capsule = ${JSON.stringify(place.capsule)};\n`;
  return `// Written by ${by}. It needs teebox${isFile ? ' and the capsule next to it' : ''}.
${imports}import { playCapsule } from 'teebox/capsules';
import { expect, test } from 'vitest';

test(${JSON.stringify(title)}, async () => {
${read}  const { differences } = await playCapsule(${isFile ? 'JSON.parse(text)' : 'capsule'});
  expect(differences).toEqual([]);
});
${own}`;
}

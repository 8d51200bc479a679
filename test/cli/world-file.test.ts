/** World files as people write them: YAML with comments and anchors, and errors with line and column. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readWorld } from '../../src/cli/world-file.js';

const folder = mkdtempSync(join(tmpdir(), 'teebox-world-'));
function fileOf(text: string): string {
  const path = join(folder, 'world.yaml');
  writeFileSync(path, text);
  return path;
}

const LEAST = `# my shop
facilities:
  - id: 1042
    name: Golf de Vallon
    country: France
    courses:
      - { id: 7, name: Lac, products: [{ id: 265, name: Green fee, price: 85 }] }
`;

test('comments, anchors and variables are read', async () => {
  const text = `${LEAST}  - id: 1043
    name: &name "\${CLUB} Nord"
    country: France
    description: *name
    courses:
      - { id: 8, name: Lac, products: [{ id: 1, name: Green fee, price: 1 }] }
`;
  const world = await readWorld(fileOf(text), { CLUB: 'Vallon' });
  expect(world.facilities[1]).toMatchObject({ name: 'Vallon Nord', description: 'Vallon Nord' });
});

test('JSON is a world file, too', async () => {
  const text = JSON.stringify(await readWorld(fileOf(LEAST), {}));
  expect(await readWorld(fileOf(text), {})).toEqual(await readWorld(fileOf(LEAST), {}));
});

test.each<[what: string, text: string, words: string]>([
  ['a misspelt key', LEAST.replace('country', 'contry'), 'line 5, column 5: `facilities[0].contry` is not known here'],
  ['a key of a flow mapping', LEAST.replace('price: 85', 'prize: 85'), 'line 7, column 68: '],
  ['a value', LEAST.replace('price: 85', 'price: much'), 'line 7, column 68: '],
  ['a member that is missing', LEAST.replace('    country: France\n', ''), 'line 3, column 5: `facilities[0].country`'],
  ['a country', LEAST.replace('France', 'Atlantis'), 'line 5, column 5: Nothing is known of the country Atlantis'],
  ['a variable', LEAST.replace('France', '${NOWHERE}'), 'line 5, column 5: It needs the environment variable NOWHERE'],
  [
    'an answer of the dialect card',
    `${LEAST}dialect:\n  answers:\n    booking.id-form: long\n`,
    'line 10, column 5: `booking.id-form` must be',
  ],
  [
    'an id of a tee time that occurs twice',
    `${LEAST.replace(' }] }\n', " }], days: { '2026-06-10': [{ id: 5, time: '08:00' }, { id: 5, time: '08:10' }] } }\n")}`,
    'line 7, column 133: The tee time 5 occurs twice.',
  ],
  ['no YAML', 'facilities: [', 'line 1'],
  ['nothing', '', 'line 1, column 1: A world must be'],
])('%s is named with its place', async (_, text, words) => {
  const path = fileOf(text);
  await expect(readWorld(path, {})).rejects.toThrow(`Failed to load world ${path}: `);
  await expect(readWorld(path, {})).rejects.toThrow(words);
});

test('a file that is not there is said in words', async () => {
  await expect(readWorld(join(folder, 'absent.yaml'), {})).rejects.toThrow('the file does not exist');
});

test('many aliases are read, and what they repeat is bounded', async () => {
  const own = (id: number, courses: string) =>
    `  - { id: ${id}, name: G, country: France, courses: [{ id: ${id}, name: Lac, products: ${courses} }] }\n`;
  const rest = Array.from({ length: 500 }, (_, index) => own(index + 2, '*p')).join('');
  const text = `facilities:\n${own(1, '&p [{ id: 1, name: Green fee, price: 85 }]')}${rest}`;
  expect((await readWorld(fileOf(text), {})).facilities).toHaveLength(501);
  const levels = Array.from(
    { length: 12 },
    (_, at) => `a${at + 1}: &a${at + 1} [${Array(12).fill(`*a${at}`).join(', ')}]\n`,
  );
  await expect(readWorld(fileOf(`a0: &a0 { x: 1 }\n${levels.join('')}`), {})).rejects.toThrow(/keys|aliases/);
});

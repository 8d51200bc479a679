import { expect, test } from 'vitest';
import { readKnown } from '../../../../src/conformance/run/known.js';
import { config } from '../../../../src/contract/generated/built/config-validator.js';
import { parseDialectCard } from '../../../../src/engine/library.js';
import { parseYaml } from '../../../../src/cli/yaml.js';
import { worldOfFile } from '../../../../src/engine/store/own-world.js';
import { readScenario } from '../../../../src/engine/state/own-scenarios.js';
import { checkedBlocks } from './exceptions.js';
import { allBlocks, type Block, placeOf } from './pages.js';

/** How the files of Teebox are read, by a member that only they have. */
const readers: Readonly<Record<string, (value: unknown) => unknown>> = {
  answers: parseDialectCard,
  known: readKnown,
  checkpoint: readScenario,
  // Elsewhere it is the number of facilities.
  facilities: (value) => Array.isArray((value as { facilities: unknown }).facilities) && worldOfFile(value),
  targets(value) {
    if (!config(value)) throw new Error(JSON.stringify(config.errors));
  },
};

/** Reads a block as the data that it is; gives back the member by which it is known. */
function readData({ language, code }: Pick<Block, 'language' | 'code'>): string | undefined {
  const value: unknown = language === 'json' ? JSON.parse(code) : parseYaml(code);
  if (typeof value !== 'object' || value === null) return undefined;
  const member = Object.keys(readers).find((name) => Object.hasOwn(value, name));
  if (member !== undefined) readers[member]!(value);
  return member;
}

test('the JSON and YAML of the pages is valid, and what it should be', () => {
  const wrong: string[] = [];
  const seen = new Set<string | undefined>();
  for (const block of checkedBlocks(allBlocks(), 'data', ['json', 'yaml'])) {
    try {
      seen.add(readData(block));
    } catch (error) {
      wrong.push(`${placeOf(block)}: ${(error as Error).message}`);
    }
  }
  expect(wrong).toEqual([]);
  expect([...seen].filter((member) => member !== undefined)).toEqual(expect.arrayContaining(['answers', 'known']));
});

test.each<[what: string, language: string, code: string]>([
  ['no JSON', 'json', '{"a":1,}'],
  ['a question that there is not', 'json', '{"name":"x","answers":{"absent":1}}'],
  ['a rule that there is not', 'json', '{"known":[{"id":"absent"}]}'],
  ['no YAML', 'yaml', 'a: [1'],
  ['a flag that a target does not have', 'yaml', 'targets: { a: { url: "https://a.example", absent: 1 } }'],
  ['a scenario without an effect', 'yaml', 'id: x\ncheckpoint: arrival'],
  [
    'a course without a product',
    'yaml',
    'facilities: [{ id: 1, name: x, country: France, courses: [{ id: 7, name: y }] }]',
  ],
])('%s is found', (_what, language, code) => {
  expect(() => readData({ language, code })).toThrow();
});

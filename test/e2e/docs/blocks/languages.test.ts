import { expect, test } from 'vitest';
import { checkedBlocks, exceptions, languages, matches } from './exceptions.js';
import { allBlocks, placeOf } from './pages.js';

const blocks = allBlocks();

test('every code block is in a language that a test knows', () => {
  expect(blocks.length).toBeGreaterThan(70);
  const unknown = blocks.filter(({ language }) => !Object.hasOwn(languages, language));
  expect(unknown.map((block) => `${placeOf(block)} is in ${block.language}`)).toEqual([]);
});

test('every exception is one of a block that there is', () => {
  expect(exceptions.filter((one) => !blocks.some((block) => matches(one, block)))).toEqual([]);
});

test('most blocks are no exceptions', () => {
  expect(checkedBlocks(blocks, 'types', ['ts', 'js', 'mjs']).length).toBeGreaterThan(15);
  expect(checkedBlocks(blocks, 'curl', ['sh']).length).toBeGreaterThan(25);
});

import { expect, test } from 'vitest';
import { allBlocks } from './pages.js';

/** What a block may be. Blocks without a language show output. */
const languages = ['', 'csharp', 'go', 'java', 'json', 'php', 'python', 'sh', 'ts', 'yaml'];

test('every code block is in a language that a test knows', () => {
  const blocks = allBlocks();
  expect(blocks.length).toBeGreaterThan(70);
  const unknown = blocks.filter(({ language }) => !languages.includes(language));
  expect(unknown.map(({ page, line, language }) => `${page}:${line} is in ${language}`)).toEqual([]);
});

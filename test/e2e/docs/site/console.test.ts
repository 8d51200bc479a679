import { expect, test } from 'vitest';
import { addressOf, files } from '../../../../docs/.vitepress/pages.js';
import { guides } from '../../../../src/console/data/guides.js';

test('the console links to pages of the documentation that there are', () => {
  const addresses = files.map((file) => addressOf(file).slice(1));
  expect(Object.values(guides).filter((page) => !addresses.includes(page))).toEqual([]);
});

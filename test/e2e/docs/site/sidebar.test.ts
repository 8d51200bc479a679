import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { slugOf } from '../../../../spec/generate/slug.mjs';
import { addressOf, files, groups, moved, routeOf } from '../../../../docs/.vitepress/pages.js';
import { root } from '../../../../docs/.vitepress/project.js';
import { pageNames } from '../blocks/pages.js';

test('every page is in the sidebar once, and the sidebar has no other', () => {
  expect([...files].sort()).toEqual([...new Set(files)].sort());
  const pages = [...pageNames(), 'CHANGELOG.md'];
  expect(pages.filter((name) => !files.includes(name))).toEqual([]);
  expect(files.filter((name) => !existsSync(root + name))).toEqual([]);
});

test.each<[file: string, route: string, address: string]>([
  ['docs/index.md', 'index.md', '/'],
  ['docs/unit-tests.md', 'unit-tests.md', '/unit-tests'],
  ['docs/decisions/README.md', 'decisions/index.md', '/decisions/'],
  ['docs/quick-starts/index.md', 'quick-starts/index.md', '/quick-starts/'],
  ['docs/quick-starts/go.md', 'quick-starts/go.md', '/quick-starts/go'],
  ['README.md', 'readme.md', '/readme'],
  ['SECURITY.md', 'security.md', '/security'],
])('%s is at %s', (file, route, address) => {
  expect([routeOf(file), addressOf(file)]).toEqual([route, address]);
});

test('the menu opens with few entries, and pages that moved lead to headings of others', () => {
  expect(groups.flatMap(({ entries }) => entries).length).toBeLessThanOrEqual(19);
  for (const [from, to] of Object.entries(moved)) {
    expect(files.map(addressOf)).not.toContain(`/${from}`);
    const [page, anchor] = to.split('#');
    const headings = readFileSync(`${root}docs/${page}.md`, 'utf8').matchAll(/^## (.+)$/gm);
    expect([...headings].map(([, heading]) => slugOf(heading!))).toContain(anchor);
  }
});

test('no two pages have one address', () => {
  expect(new Set(files.map(addressOf)).size).toBe(files.length);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { brokenLinks } from '../../../../docs/.vitepress/anchors.js';
import { resolveLink } from '../../../../docs/.vitepress/markdown.js';
import { slugOf } from '../../../../spec/generate/slug.mjs';
import { project } from '../../../../docs/.vitepress/project.js';

describe('a link of a page leads to', () => {
  test.each<[from: string, href: string, wanted: string]>([
    ['docs/failures.md', 'unit-tests.md', '/unit-tests'],
    ['docs/failures.md', 'unit-tests.md#types', '/unit-tests#types'],
    ['docs/failures.md', '#plans', '#plans'],
    ['docs/architecture.md', 'decisions/', '/decisions/'],
    ['docs/architecture.md', 'decisions/README.md', '/decisions/'],
    ['docs/decisions/README.md', '../architecture.md', '/architecture'],
    ['docs/architecture.md', '../CONTRIBUTING.md#style', '/contributing#style'],
    ['README.md', 'docs/index.md', '/'],
    ['README.md', 'docs/admin-api.md', '/admin-api'],
    ['docs/failures.md', '../scenarios/', `${project.repository}/tree/main/scenarios`],
    ['docs/failures.md', '../package.json#L3', `${project.repository}/blob/main/package.json#L3`],
    ['README.md', 'LICENSE', `${project.repository}/blob/main/LICENSE`],
    ['README.md', 'https://example.com/a.md', 'https://example.com/a.md'],
    ['README.md', 'mailto:ada@partner.example', 'mailto:ada@partner.example'],
  ])('%s: %s', (from, href, wanted) => {
    expect(resolveLink(href, from)).toBe(wanted);
  });

  test.each(['absent.md', '../docs/absent.md', '../../outside.md'])('nothing: %s', (href) => {
    expect(() => resolveLink(href, 'docs/failures.md')).toThrow(`docs/failures.md links to ${href}`);
  });
});

test.each<[title: string, slug: string]>([
  ['Run it', 'run-it'],
  ['`teebox/msw` and Node 20.19', 'teeboxmsw-and-node-2019'],
  ['A – B', 'a--b'],
  ['snake_case', 'snake_case'],
])('the heading %s has the id that the repository gives it', (title, slug) => {
  expect(slugOf(title.replaceAll('`', ''))).toBe(slug);
});

test('links that lead nowhere are found in the built pages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'teebox-site-'));
  mkdirSync(join(folder, 'sub'));
  const good = ['/t/a', '/t/a#one', '/t/sub/', '/t/sub/#two', 'a', '#three', '/t/x.js', 'https://x.test/y'];
  const bad = ['/t/absent', '/t/a#absent', '/a', '#absent', '/t/y.js', '/t/a.html'];
  const links = [...good, ...bad].map((href) => `<a href="${href}">x</a>`);
  writeFileSync(join(folder, 'index.html'), `<h1 id="three">x</h1>${links.join('')}<img src="/t/absent.png">`);
  writeFileSync(join(folder, 'a.html'), '<h2 id="one">x</h2>');
  writeFileSync(join(folder, 'sub/index.html'), '<h2 id="two">x</h2>');
  writeFileSync(join(folder, 'x.js'), '');
  expect(brokenLinks(folder, '/t/')).toEqual([...bad, '/t/absent.png'].map((href) => `/ links to ${href}`));
  rmSync(folder, { recursive: true });
});

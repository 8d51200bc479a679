import { expect, test } from 'vitest';
import { fileReporters } from '../../../src/conformance/report/index.js';
import { altering, type Layer } from '../deployment.js';
import { recorded } from '../recorded.js';

const odd = altering(/countries$/, ({ data }) => (data[0] = 7));
const gone: Layer = async () => {
  throw new TypeError('fetch failed');
};

test.each<[what: string, layer: Layer | undefined, said: RegExp, colour: string]>([
  ['conformant', undefined, /^teebox check: conformant, [\d.]+% evaluated$/, '#2a7d2e'],
  ['broken', odd, /^teebox check: not conformant, [\d.]+% evaluated$/, '#b3261e'],
  ['gone', gone, /^teebox check: unreachable$/, '#6b6b6b'],
])('the badge of a deployment that is %s', async (_, layer, said, colour) => {
  const { run } = await recorded({ only: ['countries.*'] }, layer);
  const badge = fileReporters.badge(run);
  expect(/^<svg [^>]* aria-label="([^"]*)">/.exec(badge)?.[1]).toMatch(said);
  const tags = [...badge.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)];
  const open: string[] = [];
  for (const [, close, tag, empty] of tags) {
    if (close) expect(open.pop()).toBe(tag);
    else if (!empty) open.push(tag!);
  }
  expect(open).toEqual([]);
  expect(badge).toContain(`fill="${colour}"`);
  expect(badge).not.toMatch(/<script|href|url\((?!#r)/);
});

import { expect, test } from 'vitest';
import { type Ending, endings, runUntil, stumbling } from '../../stopping.js';

const REQUESTS = 200;
const all = Array.from({ length: REQUESTS }, (_, index) => index + 1);

test.each(Object.keys(endings) as Ending[])('no rule stumbles where a deployment ends in %s', async (ending) => {
  const found: string[] = [];
  for (const requests of all) {
    for (const one of stumbling(await runUntil(requests, ending))) found.push(`after ${requests}: ${one}`);
  }
  expect(found).toEqual([]);
});

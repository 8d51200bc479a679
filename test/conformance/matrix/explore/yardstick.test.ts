import { expect, test } from 'vitest';
import { exploreDeployment } from '../../../../src/conformance/explore/explore.js';
import { flat } from '../../../../src/conformance/explore/steps.js';
import { everything, trialOf } from '../../independent/run.js';
import { MOST_CALLS } from '../../explore/planted.js';
import * as arrays from '../../yardstick/arrays/index.js';
import * as structs from '../../yardstick/structs/index.js';

/** Everyday regressions that take a sequence of requests to be seen, with the fact that is wrong. */
test.each([
  ['arrays', 'Two bookings of one tee time in one request take only the slots of the last.', /slots|oversold/],
  ['arrays', 'The third booking of a request is stored with the contact of the second.', /twice|missing/],
  ['structs', 'A booking has the status PAID after the v4 payment confirmation', /state/],
  ['structs', 'The slots of a group are offered again after its bulk payment', /slots/],
  ['structs', 'A v3 bulk booking that fails keeps the bookings before the failing one', /slots|phantom/],
  ['structs', 'A v5 booking refused for an unknown extra product keeps its slots', /slots/],
  ['structs', 'Two v2 bookings at the same time both get the last slots', /slots|oversold/],
  ['structs', 'Only the initial refresh token is invalidated; later ones can be used again', /tokens/],
] as const)('walks find, and make small, in the deployment with %s: %s', async (which, name, fact) => {
  const { channels, deploy, regressions } = which === 'arrays' ? arrays : structs;
  expect(regressions.map((one) => one.name)).toContain(name);
  const { options } = trialOf((around) => deploy(around, new Set([name])), channels);
  const seed = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7);
  const limits = { seed, walks: 200, steps: 24, maxFindings: 1, maxRequests: 10_000, maxBookings: 5000 };
  const result = await exploreDeployment({ ...options, ...everything(channels), ...limits });
  const finding = result.findings.find(({ counts }) => counts);
  expect(finding?.fact, result.notes.join(' ')).toMatch(fact);
  expect(flat(finding!.walk.steps).length).toBeLessThanOrEqual(MOST_CALLS);
});

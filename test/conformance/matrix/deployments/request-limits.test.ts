import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../../../src/conformance/client/types.js';
import { deploy, type Layer, loudIn } from '../../deployment.js';
import { runWith } from '../../limited-run.js';

const judged = ({ rules }: Report): string[] =>
  rules.filter(({ verdict }) => ['pass', 'observed'].includes(verdict)).map(({ id }) => id);

/** One request is answered by a service that is busy for a moment. */
function busyAt(moment: number): Layer {
  let count = 0;
  return async (request, through) => {
    count += 1;
    return count === moment ? new Response('busy', { status: 503 }) : through(request);
  };
}

const credentials = fc.record({ basic: fc.boolean(), token: fc.boolean(), second: fc.boolean() });
const usable = credentials.filter(({ basic, token }) => basic || token);

test('the fault of a service that is busy at the last request is no finding', async () => {
  for (let moment = 2; moment <= 59; moment += 1) {
    const { check } = await deploy({}, busyAt(moment));
    expect(loudIn(await check({ maxRequests: moment }))).toEqual([]);
  }
});

describe('however few requests a run may send', () => {
  test('it sends no more, finds nothing wrong, and journals no token that it does not spend', async () => {
    const limit = fc.integer({ min: 1, max: 120 });
    await fc.assert(
      fc.asyncProperty(limit, usable, async (maxRequests, given) => {
        const { report, sent, told } = await runWith(given, { maxRequests });
        expect(sent.length).toBe(report.requests);
        expect(report.requests).toBeLessThanOrEqual(maxRequests);
        expect(loudIn(report)).toEqual([]);
        expect(told.filter((what) => what === 'intent').length).toBe(told.filter((what) => what === 'result').length);
        // One that is spent on logging in alone leaves nothing to judge; so few are too few to say that all is well.
        expect(report.exitCode).toBe(maxRequests === 1 && !given.basic ? 3 : 4);
      }),
      { numRuns: 40 },
    );
  });

  test('with more of them it judges no rule less', async () => {
    const limit = fc.integer({ min: 2, max: 120 });
    await fc.assert(
      fc.asyncProperty(limit, limit, usable, async (one, other, given) => {
        const [few, more] = [Math.min(one, other), Math.max(one, other)];
        const [less, rest] = [
          (await runWith(given, { maxRequests: few })).report,
          (await runWith(given, { maxRequests: more })).report,
        ];
        expect(judged(less).filter((id) => !judged(rest).includes(id))).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });
});

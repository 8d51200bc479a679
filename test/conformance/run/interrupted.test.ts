import { expect, test } from 'vitest';
import type { CheckOptions } from '../../../src/conformance/run/check-options.js';
import { defineRule } from '../../../src/conformance/rules/rule.js';
import { formRules } from '../../../src/conformance/run/form-rules.js';
import type { Report } from '../../../src/conformance/client/types.js';
import type { RuleId } from '../../../src/contract/generated/rule-basis.js';
import { altering, deploy, type Layer, resultOf } from '../deployment.js';

const formIds = new Set<string>(formRules(() => undefined as never).map(({ id }) => id));

/** A run that is interrupted when so many requests have been answered. */
async function interruptedAfter(requests: number, layer?: Layer, changes: Partial<CheckOptions> = {}) {
  const stop = new AbortController();
  const { check, sent } = await deploy({}, layer);
  const report = await check({
    signal: stop.signal,
    onEvent: ({ type }) => type === 'exchange' && sent.length === requests && stop.abort(),
    ...changes,
  });
  return { report, sent };
}

const judged = ({ rules }: Report): string[] =>
  rules.filter(({ verdict }) => ['pass', 'fail', 'warn', 'observed'].includes(verdict)).map(({ id }) => id);

test('a run that is interrupted after 112 requests reports what they show', async () => {
  const { report, sent } = await interruptedAfter(112);
  expect(sent).toHaveLength(112);
  const selected = report.rules.length;
  const known = judged(report);
  expect(known.filter((id) => formIds.has(id)).length).toBeGreaterThan(30);
  const left = report.rules.filter(({ reason }) => reason === 'interrupted');
  expect(new Set(left.map(({ verdict }) => verdict))).toEqual(new Set(['not-run']));
  expect(report).toMatchObject({
    exitCode: 4,
    verdict: 'too-little-judged',
    message: `The run was stopped after ${known.length} of ${selected} rules.`,
  });
  expect(left[0]!.missing).toBe('a run that is not interrupted');
});

test('what is broken in the answers so far fails', async () => {
  const wrong = altering(/countries$/, ({ data }) => (data[0] = 5));
  const { report } = await interruptedAfter(42, wrong);
  expect(resultOf(report, 'countries.response')).toMatchObject({ verdict: 'fail', actual: 5 });
  expect(report.exitCode).toBe(1);
});

test('a run that is interrupted before its first answer judges nothing', async () => {
  const stop = new AbortController();
  stop.abort();
  const { report, sent } = await interruptedAfter(0, undefined, { signal: stop.signal });
  expect(sent).toEqual([]);
  expect(report).toMatchObject({
    exitCode: 4,
    message: expect.stringMatching(/^The run was stopped after 0 of \d+ rules/),
  });
  expect(judged(report)).toEqual([]);
  expect(report.counts['not-run']).toBeGreaterThan(380);
});

test.each([
  ['a read that is under way', async () => new Promise<never>(() => {})],
  [
    'a long wait for a deployment that is busy',
    async () => new Response('', { status: 503, headers: { 'retry-after': '50' } }),
  ],
])(
  '%s is given up',
  async (_, answer) => {
    const stop = new AbortController();
    const rule = defineRule({
      id: 'countries.list' satisfies RuleId,
      async run({ session, expect: so }) {
        setTimeout(() => stop.abort(), 30);
        so.succeeds(await session.send({ operation: 'v2.listCountries' }), 'It is refused.');
      },
    });
    const { options, check } = await deploy({}, async (request, through) =>
      request.url.endsWith('/v2/countries') ? answer() : through(request),
    );
    const host = { ...options.host, schedule: () => () => {}, sleep: () => new Promise<void>(() => {}) };
    const report = await check({ host, rules: [rule], signal: stop.signal });
    expect(report.rules).toMatchObject([{ verdict: 'not-run', reason: 'interrupted' }]);
  },
  5000,
);

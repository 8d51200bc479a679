import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import type { CheckOptions, RunOptions } from '../../src/conformance/run/check-options.js';
import type { RuleId } from '../../src/contract/generated/rule-basis.js';
import { registerRules, type SkipContext } from '../../src/conformance/register.js';
import { defineRule } from '../../src/conformance/rules/rule.js';
import type { Report } from '../../src/conformance/client/types.js';
import { altering, deploy, type Layer } from './deployment.js';

type Outcome = 'passed' | `skipped: ${string}` | `failed: ${string}`;
class Skipped extends Error {}

type Registered = [name: string, run: (context: SkipContext) => Promise<void>];

async function registered(changes: Partial<RunOptions> = {}, layer?: Layer): Promise<readonly Registered[]> {
  const { options } = await deploy({}, layer);
  const tests: Registered[] = [];
  registerRules((name, run) => tests.push([name, run]), { ...options, ...changes });
  return tests;
}

/** What a runner makes of the registered tests, by their names up to the colon. */
async function outcomes(changes: Partial<RunOptions> = {}, layer?: Layer): Promise<Map<string, Outcome>> {
  const tests = await registered(changes, layer);
  const context: SkipContext = {
    skip(note) {
      throw new Skipped(note);
    },
  };
  const ends = tests.map(async ([name, run]): Promise<[string, Outcome]> => {
    const id = name.split(':')[0]!;
    try {
      await run(context);
      return [id, 'passed'];
    } catch (error) {
      return [id, `${error instanceof Skipped ? 'skipped' : 'failed'}: ${(error as Error).message}`];
    }
  });
  return new Map(await Promise.all(ends));
}

const failing = altering(/\/v3\/countries$/, (body) => (body.data = [7]));

describe('each rule is a test', () => {
  const passOrSkip = async (only: readonly string[]): Promise<void> => {
    const all = await outcomes({ depth: 'quick', only });
    expect([...all].filter(([, outcome]) => outcome.startsWith('failed'))).toEqual([]);
    expect(all.get('countries.list')).toBe('passed');
    expect(all.get('tokens.refresh.response')).toMatch(/^skipped: not-given: Missing: a refresh token/);
  };

  test('that passes or is skipped with the reason, where the deployment is correct', async () => {
    expect((await registered()).length).toBeGreaterThan(150);
    await passOrSkip(['countries.*', 'tokens.*', 'auth.*']);
  });

  test('that passes or is skipped, whatever its resource', { tags: ['slow'] }, () => passOrSkip(['*']));

  test('that compares all responses of the run', async () => {
    const [id, other] = ['prices.agrees-facility', 'teetimes.same-across-versions'] as const;
    const abroad = altering(/\/price\//, ({ data }) => (data.records.at(-1).facilityName = 'Elsewhere'));
    const changes = { depth: 'quick', only: [id, other] } as const;
    const [right, wrong] = [await outcomes(changes), await outcomes(changes, abroad)];
    expect([right.get(id), right.get(other), wrong.get(other)]).toEqual(['passed', 'passed', 'passed']);
    expect(wrong.get(id)).toMatch(/^failed: prices\.agrees-facility: The facility data differs/);
  });

  test('that fails with the rule in words, what was expected, what came, and a curl', async () => {
    const all = await outcomes({ only: ['countries.*'] }, failing);
    const failed = [...all].filter(([, outcome]) => outcome.startsWith('failed'));
    expect(failed.map(([name]) => name)).toContain('countries.item');
    const [, words] = failed.find(([name]) => name === 'countries.item')!;
    expect(words).toMatch(
      /countries\.item: .*\nRule: .*\nExpected: .*\nActual: .*\nSpecification: .*\nAgain: curl -i 'http/,
    );
  });

  const MINOR = 'facilities.details.not-in-oldest' satisfies RuleId;
  const implied = defineRule({
    id: MINOR,
    run: ({ expect }) => expect.that(false, 'It is otherwise.'),
  });
  test.each<[what: string, changes: Partial<CheckOptions>, want: RegExp]>([
    ['passes', {}, /^passed$/],
    ['fails when it is strict', { failOn: 'minor' }, /^failed: facilities.details.not-in-oldest: It is otherwise/],
    ['passes when it is known', { failOn: 'minor', known: [{ id: MINOR }] }, /^passed$/],
  ])('whose breach of what is implied and minor %s', async (_, changes, want) => {
    const all = await outcomes({ rules: [implied], ...changes });
    expect(all.get(MINOR)).toMatch(want);
    expect(all.get('enough was evaluated')).toBe('passed');
  });
});

describe('the last test fails where', () => {
  test.each<[what: string, changes: Partial<CheckOptions>, want: RegExp]>([
    ['nothing was judged', { only: ['tokens.refresh.response'] }, /Nothing was evaluated/],
    [
      'less was judged than must be',
      { only: ['countries.*', 'tokens.*'], depth: 'quick', minConclusive: 100 },
      /% of the \d+ observable rules were evaluated/,
    ],
    [
      'the baseline is out of date',
      { only: ['countries.*'], known: [{ id: 'countries.list' }] },
      /no longer failing: countries\.list/,
    ],
  ])('%s', async (_, changes, want) => {
    expect((await outcomes(changes)).get('enough was evaluated')).toMatch(want);
  });

  test('and every rule fails if another server responds', async () => {
    const all = await outcomes({ only: ['countries.*'] }, async () => new Response('<html>', { status: 404 }));
    expect(new Set([...all.values()].map((outcome) => outcome.split(':')[0]))).toEqual(new Set(['failed']));
    expect(all.get('countries.list')).toContain('Nothing at this base URL answers like the service');
  });
});

test('reporters hear of the run what they hear of any', async () => {
  const types: string[] = [];
  let report: Report | undefined;
  await outcomes({
    only: ['countries.list'],
    onEvent(event) {
      types.push(event.type);
      if (event.type === 'end') report = event.report;
    },
  });
  expect([types[0], ...types.slice(-2)]).toEqual(['start', 'rule', 'end']);
  expect(report).toMatchObject({ verdict: 'conformant', counts: { pass: 1 } });
});

test('the entry imports nothing of Node, of Vitest and of the engine', async () => {
  const { metafile } = await build({
    entryPoints: ['src/conformance/library.ts'],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    write: false,
    metafile: true,
    external: ['node:*', 'vitest'],
  });
  const inputs = Object.entries(metafile.inputs);
  expect(inputs.flatMap(([, { imports }]) => imports.filter(({ external }) => external))).toEqual([]);
  expect(inputs.map(([path]) => path).filter((path) => !/^src\/(conformance|contract|common)\//.test(path))).toEqual(
    [],
  );
});

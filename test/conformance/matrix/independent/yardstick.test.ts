/** @module-tag slow */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { CheckOptions } from '../../../../src/conformance/run/check-options.js';
import type { RuleId } from '../../../../src/contract/index.js';
import { complaintsOf } from '../../full-run.js';
import { everything, trialOf } from '../../independent/run.js';
import * as arrays from '../../yardstick/arrays/index.js';
import * as structs from '../../yardstick/structs/index.js';

type Found = Readonly<Record<string, readonly RuleId[]>>;

/**
 * The rules that name each regression first, as whole runs have shown: `npx tsx
 * test/conformance/independent/measure.ts arrays`.
 */
const found = JSON.parse(readFileSync(new URL('found.json', import.meta.url), 'utf8')) as Readonly<
  Record<'arrays' | 'structs', Found>
>;

/** Regressions that no rule names, and why. */
const unseen: Readonly<Record<string, string>> = {
  'The net rate of transfers is always labelled EUR.':
    'no words tie the currency of an extra product to that of its facility',
  'Price records in yen are not rounded to whole yen.': 'they differ from the steps by less than rounding may',
  'v3 offers a group of three the tee times with two free slots': 'what `players` does in v2 and v3 is open',
  'In the v2 list a facility without a website has null as its website': 'how an empty field is written is open',
};

describe.each([
  ['arrays', arrays],
  ['structs', structs],
] as const)('the deployment with %s', (name, { channels, deploy, regressions }) => {
  const all = everything(channels);
  const run = (options: Partial<CheckOptions>, broken: readonly string[] = []) =>
    trialOf((around) => deploy(around, new Set(broken)), channels).check(options);

  test.each([
    ['reading', {}],
    ['with everything allowed', all],
  ])('conforms as it is: %s', async (_, options) => {
    expect(complaintsOf(await run(options))).toEqual([]);
  });

  test('a rule that a whole run leaves inconclusive is inconclusive alone', async () => {
    const { rules } = await run(all);
    for (const { id } of rules.filter(({ verdict }) => verdict === 'inconclusive')) {
      const alone = await run({ ...all, only: [id] });
      expect(alone.rules).toMatchObject([{ id, verdict: 'inconclusive' }]);
    }
  });

  test('nineteen of twenty of its regressions are found, or left alone for a reason', () => {
    const missed = regressions.filter((one) => !(one.name in found[name]));
    expect(missed.filter((one) => !(one.name in unseen))).toEqual([]);
    expect(missed.length).toBeLessThanOrEqual(regressions.length / 20);
  });

  // By the rules alone that name it: some need the requests of a whole run.
  test.each(regressions.filter((one) => one.name in found[name]))('the suite finds: $name', async (regression) => {
    const rules = found[name][regression.name]!;
    const isFound = async (options: Partial<CheckOptions>): Promise<boolean> => {
      const report = await run({ ...all, ...options }, [regression.name]);
      return report.rules.some(({ id, verdict }) => rules.includes(id) && (verdict === 'fail' || verdict === 'warn'));
    };
    expect((await isFound({ only: rules })) || (await isFound({}))).toBe(true);
  });
});

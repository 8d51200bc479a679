import { describe, expect } from 'vitest';
import type { RuleId } from '../../../src/contract/generated/rule-basis.js';
import * as strict from '../../../src/contract/generated/built/response-validators-strict.js';
import { type KindName, kinds } from './kinds.js';
import { type Answer, everyAnswer, find, type Found } from './records.js';
import { rule } from '../rule.js';

/** Where a form stands in the answers that hold it: operation and path. */
export type Places = Readonly<Partial<Record<Answer['of'], string | readonly string[]>>>;

/** The rule of a field, its name, what it holds. */
export type FieldRow = readonly [rule: RuleId, name: string, kind: KindName];

let answers: Promise<readonly Answer[]> | undefined;

/**
 * Every field of a form: it stands, with the right kind of value, in each object of that form in every answer;
 * and an answer in which it is missing or holds something else is refused by the contract.
 */
export function describeFields(form: string, places: Places, rows: readonly FieldRow[]): void {
  describe(form, () => {
    for (const [id, name, kind] of rows) {
      rule(id, `\`${name}\` is there, as ${kind}`, async () => {
        const { holds, wrong } = kinds[kind];
        for (const [of, paths] of Object.entries(places)) {
          const found = await foundIn(of as Answer['of'], [paths].flat());
          expect(found.length, `${form} in ${of}`).toBeGreaterThan(0);
          const bad = found.filter(({ object }) => !(name in object && holds(object[name])));
          expect(bad.map(({ at, object }) => [of, ...at, object[name]])).toEqual([]);
          expect(faultsOf(found[0]!, name, (value) => value)).toEqual([]);
          expect(
            faultsOf(found[0]!, name, () => undefined),
            `${of} without ${name}`,
          ).not.toEqual([]);
          for (const value of wrong) {
            expect(
              faultsOf(found[0]!, name, () => value),
              `${of}, ${name} = ${JSON.stringify(value)}`,
            ).not.toEqual([]);
          }
        }
      });
    }
  });
}

async function foundIn(of: Answer['of'], paths: readonly string[]): Promise<readonly Found[]> {
  answers ??= everyAnswer();
  return (await answers)
    .filter((answer) => answer.of === of)
    .flatMap((answer) => paths.flatMap((path) => find(answer, path)));
}

/** What the strict contract says of the answer with one field changed; undefined takes it out. */
function faultsOf({ answer, at }: Found, name: string, change: (value: unknown) => unknown): readonly string[] {
  const object = at.reduce((value, key) => value[key], answer.body);
  const was = { ...object };
  object[name] = change(object[name]);
  if (object[name] === undefined) delete object[name];
  const validator = answer.of === 'callback' ? strict.searchResult : strict.responses[answer.of];
  const isValid = validator(answer.body);
  // An answer is large, so it is changed in place, and back.
  Object.assign(object, was);
  if (isValid) return [];
  return validator.errors!.map((one) => `${answer.of}${one.instancePath} ${one.message} ${JSON.stringify(one.params)}`);
}

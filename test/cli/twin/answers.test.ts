import { expect, test } from 'vitest';
import { comparedAnswers, type Compared } from '../../../src/cli/twin/answers.js';

const answered = (json: unknown, status = 200) => ({ status, ok: status < 400, json });
const compared = (there: unknown, here: unknown): Compared => comparedAnswers(answered(there), answered(here));

test.each<[what: string, there: unknown, here: unknown, fields: readonly string[]]>([
  ['equal values', { data: [{ id: 1, name: 'Lac' }] }, { data: [{ name: 'Lac', id: 1 }] }, []],
  ['a sum of floating-point numbers', { data: 253.04999999999998 }, { data: 253.05 }, []],
  ['a cent', { data: 253.04 }, { data: 253.05 }, ['data']],
  ['a number as text', { data: '5' }, { data: 5 }, ['data']],
  ['null and nothing', { data: { a: null } }, { data: {} }, ['data.a']],
  ['an empty text and nothing', { data: { a: '' } }, { data: {} }, ['data.a']],
  ['a field of one element', { data: [{ id: 1, n: 1 }, { id: 2, n: 2 }] }, { data: [{ id: 1, n: 1 }, { id: 2, n: 3 }] }, ['data[].n']], // oxfmt-ignore
  ['an element too many', { data: [{ id: 1 }] }, { data: [{ id: 1 }, { id: 2 }] }, ['data[]']],
  ['an element too few', { data: ['Spain', 'France'] }, { data: ['France'] }, ['data[]']],
  ['one element twice', { data: ['Spain', 'Spain'] }, { data: ['Spain'] }, ['data[]']],
  ['parts without an id', { data: [{ id: 1 }, { rule: { mid: 4 } }] }, { data: [{ id: 1 }, { rule: { mid: 5 } }] }, ['data[].rule.mid']], // oxfmt-ignore
  ['another body', [], {}, ['body']],
])('%s', (_, there, here, fields) => {
  const { differences, isReordered } = compared(there, here);
  expect(differences.map(({ field }) => field)).toEqual(fields);
  expect(isReordered).toBe(false);
});

test('another order is noted, and is no difference', () => {
  const [one, other] = [{ teeid: 1, free: 2 }, { teeid: 2, free: 3 }]; // oxfmt-ignore
  expect(compared({ data: [one, other] }, { data: [other, one] })).toMatchObject({
    differences: [],
    isReordered: true,
  });
  expect(compared({ data: ['a', 'b'] }, { data: ['b', 'a'] })).toMatchObject({ differences: [], isReordered: true });
});

test('of refusals, the status counts and the words do not', () => {
  const refusal = (status: number, message: string) => answered({ success: false, message }, status);
  expect(comparedAnswers(refusal(404, 'Gone.'), refusal(404, 'No facility 7.')).differences).toEqual([]);
  expect(comparedAnswers(refusal(404, ''), refusal(400, '')).differences).toEqual([
    { field: 'status', there: '404', here: '400' },
  ]);
  const softly = { status: 200, ok: false, json: { success: false } };
  expect(comparedAnswers(softly, answered({ success: true })).differences).toEqual([
    { field: 'status', there: '200, success: false', here: '200' },
  ]);
});

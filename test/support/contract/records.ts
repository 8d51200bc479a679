import type { OperationId } from '../../../src/contract/generated/operations.js';
import { refreshWith, initialTokenOf } from '../credentials.js';
import { dayIn, type Json, queryText, teeTimesPath } from '../scenes.js';
import { openAtOnce, pricesPath, resultOf } from '../views.js';

/** An answer as it came, and the operation (or the callback) that gave it. */
export interface Answer {
  readonly of: OperationId | 'callback';
  readonly body: Json;
}

/** An object inside an answer, and the way to it. */
export interface Found {
  readonly answer: Answer;
  readonly at: readonly (string | number)[];
  readonly object: Json;
}

/** Facilities of the channel: in several countries, with one course and more, with extra products. */
const FACILITIES = [1001, 1002, 1003, 1005, 1008];

/** Answers of every operation that reads, from one sandbox as it stands at the start. */
export async function everyAnswer(): Promise<readonly Answer[]> {
  const { fairway } = await openAtOnce();
  const answers: Answer[] = [];
  const keep = (of: Answer['of'], body: Json): Json => (answers.push({ of, body }), body);
  const read = async (of: OperationId, path: string) => keep(of, (await fairway.get(path)).body);

  const countries: string[] = (await read('v3.listCountries', '/api/v3/countries')).data;
  for (const version of ['v1', 'v2', 'v3'] as const) {
    for (const country of countries) {
      await read(`${version}.listFacilities`, `/api/${version}/facilities?${queryText({ country })}`);
    }
    for (const id of FACILITIES) await read(`${version}.findFacility`, `/api/${version}/facilities/${id}`);
  }
  for (const id of FACILITIES) {
    for (const version of ['v2', 'v3'] as const) {
      await read(`${version}.facilityDetails`, `/api/${version}/facilities/details/${id}`);
    }
    for (const version of ['v2', 'v3', 'v4'] as const) {
      await read(`${version}.listTeeTimes`, teeTimesPath(version, { facilityId: id }));
    }
    const days = { fromDate: dayIn(10).query, toDate: dayIn(11).query };
    const { records } = (await read('v5.listPrices', pricesPath({ facilityIds: id, ...days }))).data;
    for (const courseId of new Set(records.map((record: Json) => record.courseId))) {
      const path = teeTimesPath('v4', { facilityId: id }).replace(`v4/teetimes/${id}`, `v5/teetimes/${id}/${courseId}`);
      await read('v5.listTeeTimes', path);
    }
  }
  for (const version of ['v1', 'v2', 'v4'] as const) {
    await read(`${version}.listBookings`, `/api/${version}/bookings?fromDate=01-01-2020`);
  }
  keep('callback', await resultOf(fairway, { facilityIds: FACILITIES }));
  keep('refreshToken', (await refreshWith(fairway, initialTokenOf(fairway))).body);
  return answers;
}

/** Walks `data.*.price` and the like; `*` stands for every element. */
export function find(answer: Answer, path: string): readonly Found[] {
  let found: Found[] = [{ answer, at: [], object: answer.body }];
  for (const step of path.split('.')) {
    found = found.flatMap(({ at, object }) => {
      const keys = step === '*' ? object.map((_: Json, index: number) => index) : [step];
      return keys.map((key: string | number) => ({ answer, at: [...at, key], object: object[key] }));
    });
  }
  return found;
}

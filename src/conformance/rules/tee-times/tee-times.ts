import { isObject } from '../../../common/index.js';
import {
  ambiguousDay,
  courseSheet,
  morePlayers,
  shownTeeTimes,
  coursesBesideEachOther,
} from '../../journeys/tee-times-by-version.js';
import {
  courseQuery,
  paramsOf,
  teeSheet,
  freeIn,
  type SheetVersion,
  sheetVersions,
  sheetQuery,
} from '../../journeys/tee-sheets.js';
import { forEach } from '../../journeys/booking-probes.js';
import { UNKNOWN_ID } from '../../journeys/material.js';
import { unlessInconclusive } from '../../client/outcome.js';
import type { Reply } from '../../client/exchange.js';
import type { Param } from '../../client/request.js';
import { closestTo, type Facts, freeOf, grouped, type SheetClaim, shownOf, teeTimesOf } from '../../facts/facts.js';
import { ofSheet, type Relation } from '../../facts/relation.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import { unknownAnswer } from '../answers.js';
import { newestWith, operationIn } from '../../client/operations.js';

/** Whether something unknown is refused, or has no tee times, is open; those of something else are neither. */
function expectNone(expect: RuleContext['expect'], { ok, data, status }: Reply, what: string): void {
  const found = ok ? teeTimesOf(data) : [];
  const actual = found ? `${found.length} tee times` : status;
  expect.that(!found?.length, what, { expected: 'a refusal, or no tee times', actual });
}

/** Requests the tee sheet of the run with one parameter changed, in some versions, and expects a refusal. */
async function refusesParam(
  context: RuleContext,
  changes: Readonly<Record<string, Param>>,
  versions: readonly SheetVersion[],
  what: (version: SheetVersion) => string,
): Promise<void> {
  await forEach(context.session.served('listTeeTimes', versions), async (version) => {
    const operation = operationIn('listTeeTimes', version);
    const params = paramsOf(await sheetQuery(context.session, version));
    const probe = { operation, params: { ...params, ...changes } };
    const reply = await context.probe(probe);
    // A service may find nothing for a value out of range, such as a number of players. One that takes a value for a
    // missing one may find nothing for it either, and is wrong.
    const isGiven = Object.values(changes).every((value) => value !== undefined);
    const found = isGiven && reply.ok ? teeTimesOf(reply.data) : undefined;
    if (found?.length === 0) context.expect.that(true, 'no tee times');
    else await context.refuses(probe, { operation, params }, what(version));
  });
}

/** A rule about a tee time request that must be refused. */
const refusing = (id: RuleSpec['id'], changes: readonly Readonly<Record<string, Param>>[], what: string): RuleSpec =>
  defineRule({
    id,
    async run(context) {
      for (const one of changes) {
        await refusesParam(context, one, sheetVersions, (version) => `${version} returns tee times ${what}.`);
      }
    },
  });

const holesAsAsked = ofSheet(function* ({ version, teeTimes, holes }) {
  const what = (): string => `A tee time of ${version} has a number of holes that was not requested.`;
  for (const one of teeTimes) yield { holds: one.holes === holes, what, expected: holes, actual: shownOf(one) };
});

const dayAsAsked = ofSheet(function* ({ version, teeTimes, day }) {
  const what = (): string => `A tee time of ${version} is on a day that was not requested.`;
  for (const one of teeTimes)
    yield { holds: String(one.time).startsWith(day), what, expected: day, actual: shownOf(one) };
});

/** Reads the other number of holes in every version. */
async function readOtherHoles({ session }: RuleContext): Promise<void> {
  await forEach(session.served('listTeeTimes', sheetVersions), async (version) => {
    const query = await sheetQuery(session, version);
    for (const holes of [9, 18] as const) await shownTeeTimes(session, version, { ...query, holes });
  });
}

/** Reads a day in every version that is another one with day and month swapped. */
async function readSwappableDay({ session }: RuleContext): Promise<void> {
  const day = ambiguousDay(session);
  await forEach(session.served('listTeeTimes', sheetVersions), async (version) => {
    await shownTeeTimes(session, version, { ...(await sheetQuery(session, version)), day });
  });
}

/** What a sheet was asked for, besides the number of players. */
function questionOf({ channel, version, facilityId, courseId, day, holes }: SheetClaim): string {
  return [channel, version, facilityId, courseId, day, holes].join(' ');
}

/**
 * A sheet for some players has the tee times with so many free slots, and no others, of the sheet for one. Versions
 * without products do not say how many slots are free.
 */
const roomAsAsked: Relation = {
  reads: ['sheets'],
  changes: true,
  *compare({ sheets }) {
    for (const all of grouped(sheets, questionOf).values()) {
      const whole = all.filter(({ players }) => players === 1);
      for (const sheet of all) {
        const { version, players, facilityId: facility, day } = sheet;
        const [expected, claims] = [`at least ${players}`, [sheet]];
        for (const one of sheet.teeTimes) {
          const free = freeOf(one);
          if (free === undefined) continue;
          const what = (): string =>
            `${version} lists the tee time ${String(one.id)} in a search for ${players} players, and shows ${free} free slots.`;
          yield { facility, day, holds: free >= players, what, expected, actual: free, claims };
        }
        const closest = closestTo(sheet, whole);
        if (players === 1 || !closest) continue;
        const found = new Set(sheet.teeTimes.map(({ id }) => id));
        const [ids, both] = [[...found], [sheet, closest]];
        for (const one of closest.teeTimes) {
          const free = freeOf(one);
          if (free === undefined || free < players) continue;
          const what = (): string =>
            `A tee time with ${players} free slots is missing from the search of ${version} for ${players} players.`;
          yield { facility, day, holds: found.has(one.id), what, expected: one.id, actual: ids, claims: both };
        }
      }
    }
  },
};

/** Reads the sheet of the run for more players, in each version. */
async function readForMore({ session }: RuleContext): Promise<void> {
  const most = await morePlayers(session);
  const sheet = await teeSheet(session);
  const others = [3, 2].filter((one) => one !== most && sheet.teeTimes.some((teeTime) => freeIn(teeTime) < one));
  for (const version of session.served('listTeeTimes', sheetVersions)) {
    const query = await sheetQuery(session, version);
    for (const players of [most, ...others.slice(0, 1), 1])
      await shownTeeTimes(session, version, { ...query, players });
  }
}

/** What a sheet has for some players, the sheet of the same question for fewer players has, too. */
const moreAmongFewer: Relation = {
  reads: ['sheets'],
  changes: true,
  *compare({ sheets }) {
    for (const all of grouped(sheets, questionOf).values()) {
      for (const sheet of all) {
        const { version, players, facilityId: facility, day } = sheet;
        const fewer = closestTo(
          sheet,
          all.filter((one) => one.players < players),
        );
        if (!fewer) continue;
        const found = new Set(fewer.teeTimes.map(({ id }) => id));
        const [actual, claims] = [[...found], [fewer, sheet]];
        for (const { id } of sheet.teeTimes) {
          const what = (): string =>
            `A tee time that ${version} finds for ${players} players is missing from its search for ${fewer.players}.`;
          yield { facility, day, holds: found.has(id), what, expected: id, actual, claims };
        }
      }
    }
  },
};

const lacking = (version: string, place: string): string =>
  `A ${version} tee time of a course is missing from the ${place}.`;

/** Reads the tee times of courses, and those of their facility for the same day and number of holes. */
async function readCourses({ session }: RuleContext): Promise<void> {
  const beside = await coursesBesideEachOther(session).catch(unlessInconclusive);
  for (const { courseId, ...query } of beside ?? [await courseSheet(session)]) {
    await shownTeeTimes(session, newestWith.facilitySheet, query);
    await shownTeeTimes(session, newestWith.courseSheet, { ...query, courseId });
  }
}

/** What the version that takes a course shows of it is what the facility shows of it, wherever its name is its own. */
const courseAsAsked: Relation = {
  reads: ['sheets', 'prices'],
  changes: true,
  *compare(facts, all) {
    const names = courseNames(all);
    const whole = facts.sheets.filter(({ version, players }) => players === 1 && version === newestWith.facilitySheet);
    for (const sheet of facts.sheets) {
      const { courseId, facilityId: facility, day, holes } = sheet;
      const name = names.get(`${facility} ${courseId}`);
      const beside = whole.filter(
        (one) => one.channel === sheet.channel && one.facilityId === facility && one.day === day && one.holes === holes,
      );
      const closest = closestTo(sheet, beside);
      if (courseId === undefined || sheet.players !== 1) continue;
      const isNamedAlike = sheet.teeTimes.some(({ course }) => course === name);
      for (const { id, course } of isNamedAlike ? sheet.teeTimes : []) {
        const what = (): string => `A tee time of ${sheet.version} is of a course other than the one in the path.`;
        yield { facility, day, holds: course === name, what, expected: name, actual: { id, course }, claims: [sheet] };
      }
      if (!closest) continue;
      const [own, listed] = [sheet, closest].map(({ teeTimes }) => new Set(teeTimes.map(({ id }) => id)));
      const ofFacility = [closest, sheet];
      for (const id of own!) {
        const what = (): string => lacking(sheet.version, `${closest.version} tee times of its facility`);
        yield { facility, day, holds: listed!.has(id), what, expected: id, claims: ofFacility };
      }
      const ofCourse = [sheet, closest];
      for (const { id, course } of name === undefined ? [] : closest.teeTimes) {
        if (course !== name) continue;
        const what = (): string => lacking(closest.version, `${sheet.version} tee times of the course`);
        yield { facility, day, holds: own!.has(id), what, expected: id, claims: ofCourse };
      }
    }
  },
};

/** The name of a course by facility and course id, where the price list gives it to no other course of the facility. */
function courseNames({ prices }: Facts): ReadonlyMap<string, string> {
  const ids = new Map<string, Set<unknown>>();
  const names = new Map<string, string>();
  for (const { facilityId, courseId, courseName } of prices.flatMap(({ records }) => records)) {
    if (typeof courseName !== 'string') continue;
    const key = `${String(facilityId)} ${courseName}`;
    ids.set(key, (ids.get(key) ?? new Set()).add(courseId));
    names.set(`${String(facilityId)} ${String(courseId)}`, courseName);
  }
  const isAlone = ([key, name]: [string, string]): boolean => ids.get(`${key.split(' ')[0]} ${name}`)?.size === 1;
  return new Map([...names].filter(isAlone));
}

/** No tee time of a course has the name of another one of the facility, however many players and holes were asked for. */
const ofItsCourse: Relation = {
  reads: ['sheets', 'prices'],
  changes: true,
  *compare({ sheets }, all) {
    const names = courseNames(all);
    const known = new Map([...names].map(([key, name]) => [`${key.split(' ')[0]} ${name}`, key]));
    const courses = grouped(names.keys(), (key) => key.split(' ')[0]);
    for (const sheet of sheets) {
      const { facilityId: facility, courseId, day, version } = sheet;
      const own = `${facility} ${courseId}`;
      const expected = names.get(own);
      // Where there is no other course, nothing else could be seen.
      if (expected === undefined || courses.get(String(facility))!.length === 1) continue;
      const claims = [sheet];
      for (const { id, course } of sheet.teeTimes) {
        // A name that no price record has may be another name of the same course.
        const place = known.get(`${facility} ${String(course)}`);
        if (place === undefined) continue;
        const what = (): string => `A tee time of ${version} is of a course other than the one in the path.`;
        yield { facility, day, holds: place === own, what, expected, actual: { id, course }, claims };
      }
    }
  },
};

/** Rules of the parameters and filters of a tee time request. */
export const teeTimeRules: readonly RuleSpec[] = [
  defineRule({
    id: 'teetimes.path.facilityId',
    async run(context) {
      const facilityId = `${(await teeSheet(context.session)).facilityId}abc`;
      const what = (version: SheetVersion): string => `${version} accepts ${facilityId} as a facility id.`;
      await refusesParam(context, { facilityId }, sheetVersions, what);
    },
  }),
  refusing('teetimes.query.bookingDate', [{ bookingDate: undefined }], 'without a day'),
  refusing('teetimes.query.players', [{ players: undefined }, { players: 'two' }], 'without a number of players'),
  refusing('teetimes.query.holes', [{ holes: undefined }], 'without a number of holes'),
  refusing('limits.players', [{ players: 5 }, { players: 0 }], 'for a number of players beyond 1 to 4'),
  refusing('limits.holes', [{ holes: 10 }, { holes: 0 }], 'for a number of holes other than 9 or 18'),
  defineRule({
    id: 'teetimes.path.courseId',
    async run(context) {
      const courseId = `${(await courseQuery(context.session)).courseId}abc`;
      await refusesParam(
        context,
        { courseId },
        [newestWith.courseSheet],
        () => 'A course id that is not an integer is accepted.',
      );
    },
  }),
  defineRule({ id: 'teetimes.filter.players', run: readForMore, relation: roomAsAsked }),
  defineRule({ id: 'teetimes.filter.players-subset', run: readForMore, relation: moreAmongFewer }),
  defineRule({ id: 'teetimes.filter.holes', run: readOtherHoles, relation: holesAsAsked }),
  defineRule({ id: 'teetimes.filter.bookingDate', run: readSwappableDay, relation: dayAsAsked }),
  defineRule({
    id: 'teetimes.filter.course',
    relation: ofItsCourse,
    async run({ session, expect, probe }) {
      const what = `A tee time of ${newestWith.courseSheet} is of a course other than the one in the path.`;
      for (const query of await coursesBesideEachOther(session)) {
        const found = await shownTeeTimes(session, newestWith.courseSheet, query);
        // An empty answer is correct too if the course has no tee times for that number of holes.
        const other = found.find(({ course }) => course !== query.courseName);
        expect.that(other === undefined, what, { expected: query.courseName, actual: other });
      }
      const params = { ...paramsOf(await courseQuery(session)), courseId: UNKNOWN_ID };
      const reply = await probe({ operation: operationIn('listTeeTimes', newestWith.courseSheet), params });
      expectNone(expect, reply, `${newestWith.courseSheet} returns tee times for a course that does not exist.`);
    },
  }),
  defineRule({
    id: 'teetimes.filter.facility',
    async run({ session, expect, probe }) {
      for (const version of session.served('listTeeTimes', sheetVersions)) {
        const query = await sheetQuery(session, version);
        // A right request first: an unknown facility must not get what the last one got.
        await shownTeeTimes(session, version, query);
        const params = { ...paramsOf(query), facilityId: UNKNOWN_ID };
        const reply = await probe({ operation: operationIn('listTeeTimes', version), params });
        expectNone(expect, reply, `${version} returns tee times for a facility that does not exist.`);
      }
    },
  }),
  defineRule({ id: 'teetimes.courses-union', run: readCourses, relation: courseAsAsked }),
  defineRule({
    id: 'teetimes.course-unknown',
    async run({ session, probe, observe }) {
      const params = { ...paramsOf(await courseQuery(session)), courseId: UNKNOWN_ID };
      const reply = await probe({ operation: operationIn('listTeeTimes', newestWith.courseSheet), params });
      // The policy belongs to the facility, so an answer without tee times may have it.
      const found = reply.ok && isObject(reply.data) ? reply.data['teeTimeV3'] : undefined;
      const answer = Array.isArray(found) && found.length === 0 ? 'empty' : unknownAnswer(reply);
      if (answer !== undefined) observe('course.unknown', answer);
    },
  }),
];

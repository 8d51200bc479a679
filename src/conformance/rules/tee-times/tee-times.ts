import {
  ambiguousDay,
  type CourseSheet,
  courseSheet,
  morePlayers,
  sheetQuery,
  shownTeeTimes,
  coursesBesideEachOther,
} from '../../journeys/tee-times-by-version.js';
import { confirmDifferences } from '../../journeys/changing-answers.js';
import {
  courseQuery,
  paramsOf,
  teeSheet,
  teeTimes,
  freeIn,
  type SheetVersion,
  sheetVersions,
} from '../../journeys/tee-sheets.js';
import { UNKNOWN_ID } from '../../journeys/material.js';
import { pricesFor } from '../../journeys/pool/reads.js';
import { unlessInconclusive } from '../../client/outcome.js';
import { isObject, type Reply } from '../../client/exchange.js';
import type { Param } from '../../client/request.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import { unknownAnswer } from '../answers.js';
import { newestWith, operationIn } from '../../client/operations.js';
import type { Session } from '../../client/session.js';

/** The list of tee times in an answer, if there is one. */
const listIn = (data: unknown): unknown =>
  Array.isArray(data) ? data : isObject(data) && (data['teeTimeV3'] ?? data['teeTimeV2']);

/** Whether something unknown is refused, or has no tee times, is open; those of something else are neither. */
function expectNone(expect: RuleContext['expect'], { ok, data, status }: Reply, what: string): void {
  const found = ok ? listIn(data) : [];
  const actual = Array.isArray(found) ? `${found.length} tee times` : status;
  expect.that(!Array.isArray(found) || found.length === 0, what, { expected: 'a refusal, or no tee times', actual });
}

/** Requests the tee sheet of the run with one parameter changed, in some versions, and expects a refusal. */
async function refusesParam(
  context: RuleContext,
  changes: Readonly<Record<string, Param>>,
  versions: readonly SheetVersion[],
  what: (version: SheetVersion) => string,
): Promise<void> {
  for (const version of context.session.served('listTeeTimes', versions)) {
    const operation = operationIn('listTeeTimes', version);
    const params = paramsOf(await sheetQuery(context.session, version));
    const probe = { operation, params: { ...params, ...changes } };
    const reply = await context.probe(probe);
    // A service may find nothing for a value out of range, such as a number of players. One that takes a value for a
    // missing one may find nothing for it either, and is wrong.
    const isGiven = Object.values(changes).every((value) => value !== undefined);
    const found = isGiven && reply.ok ? listIn(reply.data) : undefined;
    if (Array.isArray(found) && found.length === 0) context.expect.that(true, 'no tee times');
    else await context.refuses(probe, { operation, params }, what(version));
  }
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

async function holesAsAsked({ session, expect }: RuleContext): Promise<void> {
  for (const version of session.served('listTeeTimes', sheetVersions)) {
    const query = await sheetQuery(session, version);
    const other = query.holes === 18 ? 9 : 18;
    const wrong = `A tee time of ${version} has a number of holes that was not requested.`;
    for (const holes of [query.holes, other] as const) {
      const found = await shownTeeTimes(session, version, { ...query, holes });
      expect.every(found, (one) => one.holes === holes, wrong, holes);
    }
  }
}

async function dayAsAsked({ session, expect }: RuleContext): Promise<void> {
  const swappable = ambiguousDay(session);
  for (const version of session.served('listTeeTimes', sheetVersions)) {
    const query = await sheetQuery(session, version);
    const what = `A tee time of ${version} is on a day that was not requested.`;
    for (const day of [query.day, swappable]) {
      const found = await shownTeeTimes(session, version, { ...query, day });
      expect.every(found, ({ time }) => time.startsWith(day.iso), what, day.iso);
    }
  }
}

async function freeAsAsked({ session, expect }: RuleContext): Promise<void> {
  const most = await morePlayers(session);
  const sheet = await teeSheet(session);
  const [other] = [3, 2].filter((one) => one !== most && sheet.teeTimes.some((teeTime) => freeIn(teeTime) < one));
  const asked = session
    .served('listTeeTimes', sheetVersions)
    .flatMap((version) => [{ version, players: most }, ...(other !== undefined ? [{ version, players: other }] : [])]);
  for (const { version, players } of asked) {
    const query = await sheetQuery(session, version);
    const listed = (id: number): string => `${version} lists the tee time ${id} in a search for ${players} players`;
    await confirmDifferences(session, async (session) => {
      const found = await shownTeeTimes(session, version, { ...query, players });
      const known = await teeTimes(session, newestWith.facilitySheet, { ...sheet, players: 1 });
      const freeNow = new Map(known.map((one) => [one.teeid, freeIn(one)]));
      // If a version shows only `players`, that may repeat the request; the products show the free slots.
      for (const { id, free } of found) {
        const detail = { expected: `at least ${players}`, actual: free };
        expect.that(free >= players, `${listed(id)}, and shows ${free} free slots.`, detail);
        const now = freeNow.get(id) ?? players;
        const other = `${listed(id)}, and ${newestWith.facilitySheet} shows ${now} free slots.`;
        expect.that(now >= players, other, { ...detail, actual: now });
      }
      // The other way round: what has so many free slots is found. A version that takes a course shows fewer.
      const ids = new Set((await shownTeeTimes(session, version, query)).map(({ id }) => id));
      const wanted = known.filter((one) => freeIn(one) >= players && ids.has(one.teeid)).map(({ teeid }) => teeid);
      const lacking = `A tee time with ${players} free slots is missing from the search of ${version} for ${players} players.`;
      expect.subset(
        wanted,
        found.map(({ id }) => id),
        lacking,
      );
    });
  }
}

async function moreAmongFewer({ session, expect }: RuleContext): Promise<void> {
  const players = await morePlayers(session);
  for (const version of session.served('listTeeTimes', sheetVersions)) {
    const query = await sheetQuery(session, version);
    const what = `A tee time that ${version} finds for ${players} players is missing from its search for one player.`;
    await confirmDifferences(session, async (session) => {
      const [more, all] = [
        await shownTeeTimes(session, version, { ...query, players }),
        await shownTeeTimes(session, version, query),
      ];
      const ids = (list: typeof all): number[] => list.map(({ id }) => id);
      expect.subset(ids(more), ids(all), what);
    });
  }
}

/** What v5 has of a course is what v4 has of it, if its name tells it from the other courses of the facility. */
async function sameOfCourse(
  session: Session,
  expect: RuleContext['expect'],
  { courseId, courseName, facilityId, day, holes }: CourseSheet,
  isAlone: boolean,
): Promise<void> {
  const { courseSheet: ofCourse, facilitySheet } = newestWith;
  const all = await shownTeeTimes(session, facilitySheet, { facilityId, day, holes });
  const own = (await shownTeeTimes(session, ofCourse, { facilityId, day, holes, courseId })).map(({ id }) => id);
  const lacking = (one: string, place: string): string => `A ${one} tee time of a course is missing from the ${place}.`;
  const ids = all.map(({ id }) => id);
  expect.subset(own, ids, lacking(ofCourse, `${facilitySheet} tee times of its facility`));
  const named = all.filter(({ course }) => isAlone && course === courseName).map(({ id }) => id);
  expect.subset(named, own, lacking(facilitySheet, `${ofCourse} tee times of the course`));
}

/** Whether no other course of the facility has the name of a course. */
async function hasNameAlone(session: Session, { facilityId, day, courseName }: CourseSheet): Promise<boolean> {
  const { records } = await pricesFor(session, { facilityIds: [facilityId], from: day, to: day });
  return new Set(records.filter((one) => one.courseName === courseName).map(({ courseId }) => courseId)).size === 1;
}

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
  defineRule({ id: 'teetimes.filter.players', run: freeAsAsked }),
  defineRule({ id: 'teetimes.filter.players-subset', run: moreAmongFewer }),
  defineRule({ id: 'teetimes.filter.holes', run: holesAsAsked }),
  defineRule({ id: 'teetimes.filter.bookingDate', run: dayAsAsked }),
  defineRule({
    id: 'teetimes.filter.course',
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
        const params = { ...paramsOf(await sheetQuery(session, version)), facilityId: UNKNOWN_ID };
        const reply = await probe({ operation: operationIn('listTeeTimes', version), params });
        expectNone(expect, reply, `${version} returns tee times for a facility that does not exist.`);
      }
    },
  }),
  defineRule({
    id: 'teetimes.courses-union',
    async run({ session, expect }) {
      const beside = await coursesBesideEachOther(session).catch(unlessInconclusive);
      for (const query of beside ?? [await courseSheet(session)]) {
        const isAlone = await hasNameAlone(session, query);
        await confirmDifferences(session, (anew) => sameOfCourse(anew, expect, query, isAlone));
      }
    },
  }),
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

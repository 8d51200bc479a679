import {
  ambiguousDay,
  courseSheet,
  freeIn,
  morePlayers,
  sheetQuery,
  type SheetVersion,
  sheetVersions,
  shownTeeTimes,
  tellingCourse,
} from '../journeys/shown.js';
import { spread, steady } from '../journeys/steady.js';
import { courseQuery, paramsOf, teeSheet, teeTimes } from '../journeys/tee-sheets.js';
import { UNKNOWN_ID } from '../journeys/unknown-id.js';
import { isObject } from '../exchange.js';
import type { Param } from '../request.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import { unknownAnswer } from './answers.js';

/** Asks for the run's tee sheet with one parameter changed, in some versions, and expects a refusal. */
export async function refusesParam(
  context: RuleContext,
  changes: Readonly<Record<string, Param>>,
  versions: readonly SheetVersion[],
  what: (version: SheetVersion) => string,
): Promise<void> {
  for (const version of versions) {
    const operation = `${version}.listTeeTimes` as const;
    const params = paramsOf(await sheetQuery(context.session, version));
    await context.refuses({ operation, params: { ...params, ...changes } }, { operation, params }, what(version));
  }
}

/** A rule of what a tee time query is refused for; `only` is the version asked where requests are few. */
const refusing = (
  id: RuleSpec['id'],
  changes: readonly Readonly<Record<string, Param>>[],
  only: SheetVersion,
  what: string,
): RuleSpec =>
  defineRule({
    id,
    async run(context) {
      const versions = spread(context.session, sheetVersions, sheetVersions.indexOf(only));
      for (const one of spread(context.session, changes)) {
        await refusesParam(context, one, versions, (version) => `The tee times of ${version} are answered ${what}.`);
      }
    },
  });

async function holesAsAsked({ session, expect }: RuleContext): Promise<void> {
  for (const version of sheetVersions) {
    const query = await sheetQuery(session, version);
    const other = query.holes === 18 ? 9 : 18;
    const wrong = `A tee time of ${version} has another number of holes than was asked for.`;
    for (const holes of [query.holes, ...spread(session, [other] as const, version === 'v4' ? 0 : 1)]) {
      const found = await shownTeeTimes(session, version, { ...query, holes });
      expect.every(found, (one) => one.holes === holes, wrong, holes);
    }
  }
}

async function dayAsAsked({ session, expect }: RuleContext): Promise<void> {
  const versions = new Set(spread(session, sheetVersions, sheetVersions.indexOf('v4')));
  const swappable = ambiguousDay(session);
  for (const version of sheetVersions) {
    const query = await sheetQuery(session, version);
    const what = `A tee time of ${version} is on another day than was asked for.`;
    for (const day of versions.has(version) ? [query.day, swappable] : [query.day]) {
      const found = await shownTeeTimes(session, version, { ...query, day });
      expect.every(found, ({ time }) => time.startsWith(day.iso), what, day.iso);
    }
  }
}

async function freeAsAsked({ session, expect }: RuleContext): Promise<void> {
  const most = await morePlayers(session);
  const sheet = await teeSheet(session);
  const [other] = [3, 2].filter((one) => one !== most && sheet.teeTimes.some((teeTime) => freeIn(teeTime) < one));
  const asked = spread(session, sheetVersions, 1).flatMap((version) => [
    { version, players: most },
    ...(other !== undefined && !session.run.transport.limited ? [{ version, players: other }] : []),
  ]);
  for (const { version, players } of asked) {
    const query = await sheetQuery(session, version);
    const what = `A tee time of ${version} has fewer free slots than the ${players} that were asked for.`;
    await steady(session, async (session) => {
      const found = await shownTeeTimes(session, version, { ...query, players });
      const known = await teeTimes(session, 'v4', { ...sheet, players: 1 });
      const free = new Map(known.map((one) => [one.teeid, freeIn(one)]));
      // In v2 and v3 the number may repeat the request, so v4 has a say too.
      const fits = (one: { id: number; places: number }): boolean =>
        one.places >= players && (free.get(one.id) ?? players) >= players;
      expect.every(found, fits, what, `at least ${players}`);
    });
  }
}

async function moreAmongFewer({ session, expect }: RuleContext): Promise<void> {
  const players = await morePlayers(session);
  for (const version of spread(session, sheetVersions, 1)) {
    const query = await sheetQuery(session, version);
    const what = `A tee time that ${version} finds for ${players} players is missing when it is asked for one.`;
    await steady(session, async (session) => {
      const [more, all] = [
        await shownTeeTimes(session, version, { ...query, players }),
        await shownTeeTimes(session, version, query),
      ];
      const ids = (list: typeof all): number[] => list.map(({ id }) => id);
      expect.subset(ids(more), ids(all), what);
    });
  }
}

/** Rules of what a tee time query must have, and of its filters. */
export const teeTimeRules: readonly RuleSpec[] = [
  defineRule({
    id: 'teetimes.path.facilityId',
    async run(context) {
      const facilityId = `${(await teeSheet(context.session)).facilityId}abc`;
      const versions = spread(context.session, sheetVersions, sheetVersions.indexOf('v4'));
      const what = (version: SheetVersion): string => `${version} takes ${facilityId} for the id of a facility.`;
      await refusesParam(context, { facilityId }, versions, what);
    },
  }),
  refusing('teetimes.query.bookingDate', [{ bookingDate: undefined }], 'v2', 'without a day'),
  refusing('teetimes.query.players', [{ players: undefined }, { players: 'two' }], 'v3', 'without a number of players'),
  refusing('teetimes.query.holes', [{ holes: undefined }], 'v5', 'without a number of holes'),
  refusing('limits.players', [{ players: 5 }, { players: 0 }], 'v2', 'for a number of players beyond 1 to 4'),
  refusing('limits.holes', [{ holes: 10 }, { holes: 0 }], 'v3', 'for a number of holes other than 9 or 18'),
  defineRule({
    id: 'teetimes.path.courseId',
    async run(context) {
      const courseId = `${(await courseQuery(context.session)).courseId}abc`;
      await refusesParam(context, { courseId }, ['v5'], () => 'A course id that is no integer is taken.');
    },
  }),
  defineRule({ id: 'teetimes.filter.players', run: freeAsAsked }),
  defineRule({ id: 'teetimes.filter.players-subset', run: moreAmongFewer }),
  defineRule({ id: 'teetimes.filter.holes', run: holesAsAsked }),
  defineRule({ id: 'teetimes.filter.bookingDate', run: dayAsAsked }),
  defineRule({
    id: 'teetimes.filter.course',
    async run({ session, expect }) {
      const query = await tellingCourse(session);
      const found = await shownTeeTimes(session, 'v5', query);
      // None at all is right as well, where the course has none for as many holes.
      const other = found.find(({ course }) => course !== query.courseName);
      const what = 'A tee time of v5 is of another course than the path names.';
      expect.that(other === undefined, what, { expected: query.courseName, actual: other });
    },
  }),
  defineRule({
    id: 'teetimes.courses-union',
    async run({ session, expect }) {
      const query = await courseSheet(session);
      const { courseId: _, ...wide } = query;
      await steady(session, async (session) => {
        const all = (await shownTeeTimes(session, 'v4', wide)).map(({ id }) => id);
        const some = (await shownTeeTimes(session, 'v5', query)).map(({ id }) => id);
        expect.subset(some, all, 'A v5 tee time of a course is missing from the v4 tee times of its facility.');
      });
    },
  }),
  defineRule({
    id: 'teetimes.course-unknown',
    async run({ session, probe, observe }) {
      const params = { ...paramsOf(await courseQuery(session)), courseId: UNKNOWN_ID };
      const reply = await probe({ operation: 'v5.listTeeTimes', params });
      // The policy belongs to the facility, so an answer without tee times may have it.
      const found = reply.ok && isObject(reply.data) ? reply.data['teeTimeV3'] : undefined;
      const answer = Array.isArray(found) && found.length === 0 ? 'empty' : unknownAnswer(reply);
      if (answer !== undefined) observe('course.unknown', answer);
    },
  }),
];

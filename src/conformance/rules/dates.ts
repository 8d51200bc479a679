import { forEach } from '../journeys/booking-probes.js';
import { booking, bodyFor, bodyOf, roomAt } from '../journeys/bookings.js';
import { bookings, type ListVersion } from '../journeys/booking-lists.js';
import { facility } from '../journeys/connected-facilities.js';
import { paramsOf, teeSheet, teeTimes, type SheetVersion, sheetVersions, sheetQuery } from '../journeys/tee-sheets.js';
import { priceParamsOf } from '../journeys/pool/reads.js';
import { type Day, dayAfter, dayAt } from '../client/day.js';
import type { Reply } from '../client/exchange.js';
import { Finding } from '../client/outcome.js';
import { operationOf } from '../../contract/index.js';
import type { OperationCall, Probe } from '../client/request.js';
import { defineRule, type RuleContext, type RuleSpec } from './rule.js';
import type { Session } from '../client/session.js';
import { newestWith, operationIn, takes, versionsOf, without } from '../client/operations.js';

const listVersions = versionsOf('listBookings');
/** The same day in another format, and a day that does not exist. A service may take either. */
const wrongDays = ({ iso }: Day): readonly string[] => [iso, `31-02-${iso.slice(0, 4)}`];

/** A successful request, and the name of a date parameter in it. */
interface Dated {
  readonly control: OperationCall;
  readonly name: string;
  readonly day: Day;
}

async function sheetDate(session: Session, version: SheetVersion): Promise<Dated> {
  const query = await sheetQuery(session, version);
  const control = { operation: operationIn('listTeeTimes', version), params: paramsOf(query) } as const;
  return { control, name: 'bookingDate', day: query.day };
}

async function priceDate(session: Session): Promise<Dated> {
  const { facilityId, day } = await teeSheet(session);
  const params = priceParamsOf({ facilityIds: [facilityId], from: day });
  return { control: { operation: operationIn('listPrices'), params }, name: 'fromDate', day };
}

function listDate(session: Session, version: ListVersion): Dated {
  const day = session.longAgo;
  return {
    control: { operation: operationIn('listBookings', version), params: { fromDate: day.query } },
    name: 'fromDate',
    day,
  };
}

async function datesInQueries(context: RuleContext): Promise<void> {
  const { session } = context;
  const dated: Dated[] = [];
  await forEach(session.served('listTeeTimes', sheetVersions), async (version) => {
    dated.push(await sheetDate(session, version));
  });
  const lists = session.served('listBookings', listVersions);
  dated.push(await priceDate(session), ...lists.map((version) => listDate(session, version)));
  // Of each operation in one version: its answers are kept, and those of all versions take much room.
  const oldest = new Map(dated.toReversed().map((one) => [operationOf(one.control.operation).name, one]));
  for (const one of oldest.values()) await askForLeapDay(session, one);
  for (const { control, name, day } of dated) {
    for (const wrong of wrongDays(day)) {
      const probe = { ...control, params: { ...control.params, [name]: wrong } };
      await context.refuses(probe, control, `${control.operation} accepts ${wrong} as \`${name}\`.`);
    }
  }
}

/**
 * Asks for the next 29 February, a day as any other. So far ahead a day may be refused, but then the days around it are,
 * too: the rule of the answer compares them.
 */
async function askForLeapDay(session: Session, { control, name }: Dated): Promise<void> {
  const leapDay = nextLeapDay(session);
  const ask = (days: number): Promise<Reply> => {
    const { query } = dayAfter(leapDay, days);
    const range = control.params?.['toDate'] === undefined ? {} : { toDate: query };
    return session.send({ ...control, params: { ...control.params, [name]: query, ...range } });
  };
  if ((await ask(0)).ok) return;
  await ask(-1);
  await ask(1);
}

function nextLeapDay({ now }: Session): Day {
  const last = (year: number): Day => dayAt(Date.UTC(year, 2, 0));
  let year = new Date(now).getUTCFullYear();
  while (!last(year).iso.endsWith('-29') || last(year).iso < dayAt(now).iso) year += 1;
  return last(year);
}

/** A booking of a tee time that is already booked, with its time in the date format of query parameters. */
async function datesInBodies(context: RuleContext): Promise<void> {
  for (const creation of context.session.creations('round', 'bulk', 'product')) {
    const booked = await booking(context.session, creation);
    const place = await roomAt(context.session, booked);
    const body = bodyFor(context.session, creation, place);
    const [date, clock] = place.teeTime.time.split('T');
    const wrong = { ...body, teetime: `${date!.split('-').reverse().join('-')} ${clock}` };
    const probe: Probe = { operation: creation.operation, body: bodyOf(creation, wrong) };
    await context.refuses(
      probe,
      booked.reply,
      `A ${creation.version} booking with the tee time ${wrong.teetime} is accepted.`,
    );
  }
}

const SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;
const MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:?\d\d)?$/;
const written: Readonly<Record<string, RegExp>> = {
  time: SECONDS,
  teetime: SECONDS,
  created: MILLISECONDS,
  createdAt: MILLISECONDS,
};

/** The wrongly formatted dates and times of an answer, and their number. */
function wrongTimes(value: unknown, seen: { count: number }, wrong: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return wrong;
  if (Array.isArray(value)) {
    for (const item of value) wrongTimes(item, seen, wrong);
    return wrong;
  }
  // Not `Object.entries`: this goes through all that a run has received.
  for (const name of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[name];
    if (typeof item !== 'string') wrongTimes(item, seen, wrong);
    else if (Object.hasOwn(written, name)) {
      seen.count += 1;
      if (!written[name]!.test(item)) wrong.push(`${name}: ${item}`);
    }
  }
  return wrong;
}

/** Price records write times in another format. */
const dated = ({ ok, probe, operation }: Reply): boolean => ok && !probe && !operation?.endsWith('.listPrices');

async function datesInAnswers({ session, expect }: RuleContext): Promise<void> {
  const { facilityId, day, holes } = await teeSheet(session);
  for (const version of session.served('listTeeTimes', versionsOf('listTeeTimes', without(takes('courseId')))))
    await teeTimes(session, version, { facilityId, day, holes });
  const [found] = session.served('findFacility', versionsOf('findFacility').toReversed());
  if (found) await session.data(operationIn('findFacility', found), { facilityId: (await facility(session)).id });
  await bookings(session, newestWith.bookingList, { from: session.longAgo });
  for (const { id, operation, json } of session.run.transport.replies.filter(dated)) {
    const seen = { count: 0 };
    const [wrong] = wrongTimes(json, seen);
    if (wrong === undefined && seen.count === 0) continue;
    session.exchanges.add(id);
    if (wrong !== undefined)
      throw new Finding(`${operation} writes a date or time in a form other than ISO 8601.`, 'ISO 8601', wrong, {
        shownBy: id,
      });
    expect.that(true, 'ISO 8601');
  }
}

/** Rules of date formats, and of the order of day and month. */
export const dateRules: readonly RuleSpec[] = [
  defineRule({ id: 'dates.query-format', run: datesInQueries }),
  defineRule({ id: 'dates.body-format', needs: ['bookings'], run: datesInBodies }),
  defineRule({ id: 'dates.response-format', phase: 'evidence', run: datesInAnswers }),
];

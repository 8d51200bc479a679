import { booking, bookings, bodyFor, type BookVersion, type ListVersion, roomAt } from '../journeys/bookings.js';
import { facility } from '../journeys/places.js';
import { sheetQuery, type SheetVersion, sheetVersions } from '../journeys/shown.js';
import { spread } from '../journeys/steady.js';
import { paramsOf, teeSheet, teeTimes } from '../journeys/tee-sheets.js';
import type { Day } from '../day.js';
import { isObject, type Reply } from '../exchange.js';
import { Finding } from '../outcome.js';
import type { OperationCall } from '../request.js';
import { defineRule, type Probe, type RuleContext, type RuleSpec } from '../rule.js';
import type { Session } from '../session.js';

const listVersions: readonly ListVersion[] = ['v1', 'v2', 'v4'];
const bookVersions: readonly BookVersion[] = ['v2', 'v3', 'v5'];
/** The same day written the other way, and one that no calendar has. */
const wrongDays = ({ iso }: Day): readonly string[] => [iso, `31-02-${iso.slice(0, 4)}`];

/** A query that succeeds, and the name of a date in it. */
interface Dated {
  readonly twin: OperationCall;
  readonly name: string;
  readonly day: Day;
}

async function sheetDate(session: Session, version: SheetVersion): Promise<Dated> {
  const query = await sheetQuery(session, version);
  const twin = { operation: `${version}.listTeeTimes`, params: paramsOf(query) } as const;
  return { twin, name: 'bookingDate', day: query.day };
}

async function priceDate(session: Session): Promise<Dated> {
  const { facilityId, day } = await teeSheet(session);
  const params = { facilityIds: String(facilityId), fromDate: day.query, toDate: day.query };
  return { twin: { operation: 'v5.listPrices', params }, name: 'fromDate', day };
}

function listDate(session: Session, version: ListVersion): Dated {
  const day = session.longAgo;
  return { twin: { operation: `${version}.listBookings`, params: { fromDate: day.query } }, name: 'fromDate', day };
}

async function datesInQueries(context: RuleContext): Promise<void> {
  const { session } = context;
  const dated: Dated[] = [];
  for (const version of spread(session, sheetVersions, 2)) dated.push(await sheetDate(session, version));
  if (!session.run.transport.limited) {
    dated.push(await priceDate(session), ...listVersions.map((version) => listDate(session, version)));
  }
  for (const { twin, name, day } of dated) {
    for (const wrong of spread(session, wrongDays(day))) {
      const probe = { ...twin, params: { ...twin.params, [name]: wrong } };
      await context.refuses(probe, twin, `${twin.operation} takes ${wrong} as \`${name}\`.`);
    }
  }
}

/** A booking of the same tee time that another one has booked, with its time written as queries write days. */
async function datesInBodies(context: RuleContext): Promise<void> {
  for (const version of bookVersions) {
    const booked = await booking(context.session, version);
    const teeTime = await roomAt(context.session, booked);
    const body = bodyFor(context.session, version, { facilityId: booked.sheet.facilityId, teeTime });
    const [date, clock] = teeTime.time.split('T');
    const wrong = { ...body, teetime: `${date!.split('-').reverse().join('-')} ${clock}` };
    const single = version !== 'v3';
    const operation = single ? (`${version}.createBooking` as const) : 'v3.createBulkBooking';
    const probe: Probe = { operation, body: single ? wrong : [wrong] };
    await context.refuses(probe, booked.reply, `A booking of ${version} takes ${wrong.teetime} as its tee time.`);
  }
}

const SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;
const MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z?$/;
const forms: Readonly<Record<string, RegExp>> = {
  time: SECONDS,
  teetime: SECONDS,
  created: MILLISECONDS,
  createdAt: MILLISECONDS,
};

/** The dates and times of an answer that are not written as they must be, and how many there are. */
function wrongTimes(value: unknown, seen: { count: number }, wrong: string[] = []): string[] {
  if (Array.isArray(value)) for (const item of value) wrongTimes(item, seen, wrong);
  if (!isObject(value)) return wrong;
  for (const [name, item] of Object.entries(value)) {
    if (typeof item === 'string' && Object.hasOwn(forms, name)) {
      seen.count += 1;
      if (!forms[name]!.test(item)) wrong.push(`${name}: ${item}`);
    } else wrongTimes(item, seen, wrong);
  }
  return wrong;
}

/** The clock times of price records have a form of their own. */
const dated = ({ ok, probe, operation }: Reply): boolean => ok && !probe && operation !== 'v5.listPrices';

async function datesInAnswers({ session, expect }: RuleContext): Promise<void> {
  const { facilityId, day, holes } = await teeSheet(session);
  for (const version of ['v2', 'v3', 'v4'] as const) await teeTimes(session, version, { facilityId, day, holes });
  await session.data('v3.findFacility', { facilityId: (await facility(session)).id });
  await bookings(session, 'v4', { from: session.longAgo });
  for (const { id, operation, data } of session.run.transport.replies.filter(dated)) {
    const seen = { count: 0 };
    const [wrong] = wrongTimes(data, seen);
    if (wrong === undefined && seen.count === 0) continue;
    session.exchanges.add(id);
    if (wrong !== undefined)
      throw new Finding(`${operation} writes a date or time in another form.`, 'ISO 8601', wrong);
    expect.that(true, 'ISO 8601');
  }
}

/** Rules of how dates are written, and which way round they are read. */
export const dateRules: readonly RuleSpec[] = [
  defineRule({ id: 'dates.query-format', run: datesInQueries }),
  defineRule({ id: 'dates.body-format', needs: ['bookings'], run: datesInBodies }),
  defineRule({ id: 'dates.response-format', phase: 'evidence', run: datesInAnswers }),
];

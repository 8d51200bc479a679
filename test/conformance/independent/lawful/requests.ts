import { queryDate, realDate } from '../civil.js';
import { Refused } from '../desk.js';
import type { Change } from '../run.js';
import { asking, both, receiving, replying, rewriting, type Variation, withStatus, wrap } from '../vary.js';

const row = (name: string, change: Change): Variation => ({ name, change });
const creations = /\/v5\/bookings$|\/bulkbookings$|\/v2\/bookings$/;
const anything = /./;
const isCreation = ({ method, url }: Request): boolean => method === 'POST' && creations.test(new URL(url).pathname);

/** Refusals with another status; a failed creation stays a 400. */
const refusing = (from: number, to: number): Change =>
  replying(anything, (response, request) =>
    response.status === from && !isCreation(request) ? withStatus(response, to) : response,
  );

const quietly: Change = (service) => {
  service.daysAsked = (
    (before) => (from: string, to: string) =>
      to < from ? [] : before(from, to)
  )(service.daysAsked.bind(service));
};

/** What the API specification leaves open about requests: what is accepted beyond it, and how the rest is refused. */
export const requests: readonly Variation[] = [
  row('bodies of any type', (service) => (service.takesType = () => true)),
  row('ISO bookingDate as well', (service) => {
    service.dayAsked = (query) => {
      const text = query.get('bookingDate') ?? '';
      const date = queryDate(text) ?? realDate(text);
      if (!date) throw service.invalid('bookingDate', 'a date');
      return date;
    };
  }),
  row(
    'empty groups',
    wrap(
      'orders',
      (before) =>
        (items, ...rest) =>
          items.length === 0 ? [] : before(items, ...rest),
    ),
  ),
  row(
    'negative limit and offset ignored',
    wrap('countAsked', (before) => (query, name, fallback) => {
      return query.get(name)?.startsWith('-') ? fallback : before(query, name, fallback);
    }),
  ),
  row(
    'limit zero refused',
    wrap('countAsked', (before, service) => (query, name, fallback) => {
      const count = before(query, name, fallback);
      if (name === 'limit' && query.get(name) === '0') throw service.invalid(name, 'one or more');
      return count;
    }),
  ),
  row('a reversed range finds nothing', quietly),
  row(
    'a search is acknowledged before it is read',
    wrap('search', (before) => (ask) => {
      try {
        return before(ask);
      } catch (error) {
        if (error instanceof Refused) return null;
        throw error;
      }
    }),
  ),
  row('teetime is not compared with teeId', (service) => (service.timeAgrees = () => true)),
  row(
    'holes and course are not compared with teeId',
    wrap('checkAgreement', (before) => (item, slot, version) => {
      before({ ...item, holes: slot.holes, course: slot.course.name, round: slot.course.name }, slot, version);
    }),
  ),
  row(
    'unknown extra products are ignored',
    receiving(creations, (body) => {
      for (const item of [body, body?.details].flat()) if (item?.extraProduct) item.extraProduct = [];
    }),
  ),
  row(
    'toDate alone is refused',
    wrap('list', (before, service) => (ask) => {
      if (ask.query.has('toDate') && !ask.query.has('fromDate')) throw service.invalid('fromDate', 'given');
      return before(ask);
    }),
  ),
  row(
    'toDate alone lists the past',
    wrap('isWithin', (before) => (booking, from, to) => {
      return before(booking, from ?? (to === undefined ? undefined : '2000-01-01'), to);
    }),
  ),
  row(
    'failures with text as data',
    rewriting(
      anything,
      (body) => ({ success: false, data: body.message }),
      ({ ok }) => !ok,
    ),
  ),
  row(
    'failures with a list as data',
    rewriting(
      anything,
      (body) => ({ success: false, data: [body.message] }),
      ({ ok }) => !ok,
    ),
  ),
  row(
    'failures with errors',
    rewriting(anything, failed, ({ ok }) => !ok),
  ),
  row('200 for invalid input', both(refusing(400, 200), refusing(404, 200))),
  row('422 for invalid input', refusing(400, 422)),
  row('422 for invalid bodies', (service) => {
    service.checkFields = wrapped422(service.checkFields.bind(service));
    service.checkOptional = wrapped422(service.checkOptional.bind(service));
  }),
  row('403 for wrong credentials', refusing(401, 403)),
  row('400 for the unknown', refusing(404, 400)),
  row('410 for the unknown', refusing(404, 410)),
  row('404 for a wrong method', refusing(405, 404)),
  row('400 for a wrong content type', refusing(415, 400)),
  row(
    '404 for an unknown country',
    wrap('facilities', (before, service) => (ask) => {
      if (!service.clubs.some((club) => service.isIn(club, ask.query.get('country') ?? '')))
        throw service.unknown('country');
      return before(ask);
    }),
  ),
  row(
    'countries in any case',
    wrap('isIn', (before, service) => (club, country) => {
      return before(club, country) || service.countryOf(club).toLowerCase() === country.toLowerCase();
    }),
  ),
  row(
    'countries without the',
    wrap('isIn', (before, service) => (club, country) => {
      return before(club, country) || service.countryOf(club).replace(/^the /, '') === country.replace(/^the /i, '');
    }),
  ),
  row('any word for connected', (service) => (service.flag = (query, name) => query.get(name) === 'true')),
  row(
    '1 for connected',
    asking(anything, ({ searchParams }) => {
      if (searchParams.get('connected') === '1') searchParams.set('connected', 'true');
    }),
  ),
  row(
    'unknown parameters refused',
    wrap('perform', (before, service) => (operation, ask) => {
      for (const name of ask.query.keys()) if (!known.includes(name)) throw service.invalid(name, 'absent');
      return before(operation, ask);
    }),
  ),
  row(
    'e-mail must look like one',
    wrap('checkFields', (before, service) => (item, version) => {
      before(item, version);
      if (!/^\S+@\S+\.\S+$/.test(String(item['contactEmail']))) throw service.failed('contactEmail must be an address');
    }),
  ),
  row(
    'any e-mail and telephone',
    wrap('checkText', (before) => (item, name) => {
      if (/Phone|Email/.test(name) && item[name] !== undefined) item[name] = String(item[name]);
      else before(item, name);
    }),
  ),
  row('contactName alone', (service) => (service.checkContact = (item) => service.checkText(item, 'contactName'))),
  row('the fields of a contact alone', (service) => {
    service.checkContact = (item) =>
      ['contactFirstName', 'contactLastName'].forEach((name) => service.checkText(item, name));
  }),
  row(
    'facilityId as an integer alone',
    wrap('order', (before, service) => (item, ...rest) => {
      if (typeof (item as { facilityId?: unknown } | null)?.facilityId === 'string') throw service.failed('facilityId');
      return before(item, ...rest);
    }),
  ),
  row(
    'at most three tee times in a group',
    wrap('orders', (before, service) => (items, ...rest) => {
      if (items.length > 3) throw service.failed('too many');
      return before(items, ...rest);
    }),
  ),
  row(
    'a second payment is refused',
    wrap('settle', (before, service) => (bookings) => {
      if (bookings.some(({ id }) => service.paid.includes(id))) throw new Refused(409, 'It is paid.');
      before(bookings);
    }),
  ),
];

const known = 'connected country bookingDate players holes facilityIds fromDate toDate callbackUrl offset limit'.split(
  ' ',
);

function failed(body: { message: string }): unknown {
  return { success: false, data: null, errors: [{ code: 17, message: body.message }] };
}

function wrapped422<Args extends unknown[]>(check: (...args: Args) => void): (...args: Args) => void {
  return (...args) => {
    try {
      check(...args);
    } catch (error) {
      throw error instanceof Refused ? new Refused(422, error.message) : error;
    }
  };
}

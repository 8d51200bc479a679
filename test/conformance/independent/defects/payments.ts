import { Refused } from '../desk.js';
import type { Change } from '../run.js';
import { rewriting, type Loose, wrap } from '../vary.js';
import { type Defect, done } from './row.js';

const path = /\/payment\//;
const rules = /^(payments|auth|errors|envelope)/;
const v5 = /v5.*payment/;

const paying = (alter: (body: Loose) => unknown, at = path): Change => rewriting(at, (body) => alter(body) ?? body);
const refusing = (version: number, status: number): Change =>
  wrap('perform', (before) => (operation, ask) => {
    if (operation.path.source.includes('payment') && ask.version === version) throw new Refused(status, 'Not now.');
    return before(operation, ask);
  });

export const payments: readonly Defect[] = [
  done('payments of every channel', rules, (service) => (service.mayPay = () => true)),
  done(
    'payments of groups of every channel',
    rules,
    wrap('payGroup', (before, service) => (ask) => {
      const may = service.mayPay;
      service.mayPay = () => true;
      try {
        return before(ask);
      } finally {
        service.mayPay = may;
      }
    }),
  ),
  done('a paused payment is a 503', rules, refusing(5, 503)),
  done('a paused payment is a 400', rules, refusing(5, 400)),
  done(
    'a paused payment fails',
    rules,
    paying((body) => ({ ...body, success: false }), v5),
  ),
  done(
    'a paused payment says nothing',
    rules,
    paying(({ data }) => ({ success: true, data }), v5),
  ),
  done(
    'a payment answers a receipt',
    rules,
    paying((body) => ({ ...body, data: { paid: true } }), /v[134].*payment/),
  ),
  done(
    'a payment answers an empty object',
    rules,
    paying((body) => ({ ...body, data: {} }), /v[134].*payment/),
  ),
  done(
    'a payment answers true',
    rules,
    paying((body) => ({ ...body, data: true }), /v4.*payment/),
  ),
  done(
    'a payment answers no data',
    rules,
    paying(({ success }) => ({ success }), /v3.*payment/),
  ),
  done('no payments in v4', rules, refusing(4, 404)),
  done('no payments in v3', rules, refusing(3, 405)),
  done('no payments in v1', rules, refusing(1, 500)),
  done('no payments of groups', rules, (service) => {
    service.payGroup = () => {
      throw service.unknown('group');
    };
  }),
  done(
    'payments of groups by the id of a booking',
    rules,
    wrap('payGroup', (before, service) => (ask) => {
      const booking = service.bookings.find(({ id }) => id === ask.args[0]);
      return before(booking ? ask : { ...ask, args: ['0'] });
    }),
  ),
  done(
    'payments by the id of the tee time',
    rules,
    wrap('pay', (before, service) => (ask) => {
      const booking = service.bookings.find(({ slot }) => String(slot.id) === ask.args[0]);
      return before({ ...ask, args: [booking?.id ?? ''] });
    }),
  ),
  done('a payment needs a group', rules, (service) => {
    const pay = service.pay.bind(service);
    service.pay = (ask) => {
      if (!service.bookings.some(({ id, group }) => id === ask.args[0] && group)) throw service.unknown('booking');
      return pay(ask);
    };
  }),
  done(
    'a payment cancels',
    /^(payments|bookings)/,
    wrap('settle', (before) => (bookings) => {
      before(bookings);
      for (const booking of bookings) booking.status = 'CANCELED';
    }),
  ),
  done(
    'a payment books again',
    /^(payments|bookings)/,
    wrap('settle', (before, service) => (bookings) => {
      before(bookings);
      for (const { slot, item, channel, players } of bookings) {
        service.enter({ slot, item, players, fee: slot.course.fees[0]!, link: undefined }, channel);
      }
    }),
  ),
];

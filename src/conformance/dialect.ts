import type { Answers } from '../generated/questions.js';
import type { RuleId } from '../generated/rule-basis.js';

export type QuestionId = keyof Answers;

/** Who tells the answer to a question: a rule that observes it; or why nothing does. */
export type Teller = { readonly by: RuleId } | { readonly leftOut: string };

const byRule = (by: RuleId): Teller => ({ by });
const leftOut = (why: string): Teller => ({ leftOut: why });

/**
 * Every open question and what tells its answer. The rule named here calls `observe` with the question; it may be
 * one of those that are still to be written (`test/conformance/pending.json`).
 */
export const tellers: Readonly<Record<QuestionId, Teller>> = {
  'auth.bearer-header': byRule('auth.bearer-header'),
  'auth.v1.schemes': byRule('auth.basic'),
  'auth.v2.schemes': byRule('auth.basic'),
  'auth.v3.schemes': byRule('auth.basic'),
  'auth.v4.schemes': byRule('auth.basic'),
  'auth.v5.schemes': byRule('auth.basic'),
  'auth.failure': byRule('errors.auth-status'),
  'token.failure': byRule('errors.token-status'),
  'token.versions': byRule('tokens.version'),
  'token.old-access': byRule('tokens.old-access'),
  'token.reuse': byRule('tokens.reuse'),
  'error.body': byRule('errors.body'),
  'error.code': byRule('errors.code'),
  'error.validation': byRule('errors.validation-status'),
  'facility.unknown': byRule('facilities.unknown'),
  'course.unknown': byRule('teetimes.course-unknown'),
  'booking.unknown': byRule('payments.booking-unknown'),
  'country.unknown': byRule('countries.unknown'),
  'facility.unconnected': byRule('facilities.connected-scope'),
  'facility.empty-fields': byRule('facilities.optional-fields'),
  'booking-list.empty-fields': byRule('bookings.item.optional-fields'),
  'payment-rule.duration-unit': leftOut('only the prose of a description could tell the unit'),
  'teetimes.players-field': byRule('teetimes.item-v3.players-meaning'),
  'teetimes.product-players': byRule('teetimes.product.players'),
  'teetimes.linked-products': byRule('teetimes.product.linkedProducts'),
  'search.date-format': byRule('search.date-format'),
  'search.unknown-facility': byRule('search.unknown-facility'),
  'search.max-facility-days': leftOut('it takes searches so large that they burden the deployment'),
  'prices.default-limit': byRule('prices.default-limit'),
  'prices.max-limit': byRule('prices.max-limit'),
  'prices.over-max-limit': byRule('prices.max-limit'),
  'prices.default-offset': byRule('prices.default-offset'),
  'prices.availability': byRule('prices.agrees-availability'),
  'prices.max-days': leftOut('it takes price requests so large that they burden the deployment'),
  'booking.contact': byRule('bookings.request.contactName'),
  'booking.facility-id': byRule('bookings.request.facilityId.string'),
  'booking.net-rate-form': byRule('bookings.request.netRate.form'),
  'booking.net-rate-check': byRule('bookings.request.netRate.check'),
  'booking.unknown-fields': byRule('bookings.request.unknown-fields'),
  'booking.v3-required': byRule('bookings.request.v3-required'),
  'booking.linked-ref-single': byRule('bookings.request.linkedTeeTimeRef.single'),
  'booking.group-failure': byRule('bookings.create.atomic'),
  'booking.id-form': byRule('bookings.id.form'),
  'booking.cancel': byRule('bookings.cancel'),
  'success.create-status': byRule('bookings.create.status'),
  'success.accepted-status': byRule('search.request'),
  'time.borders': byRule('bookings.time-borders'),
  'booking-list.order': byRule('bookings.list.order'),
  'booking-list.to-date': byRule('bookings.list.to-date-inclusive'),
  'time.created-zone': byRule('bookings.item.created-zone'),
  'payment.v1.method': byRule('payments.method'),
  'payment.v3.method': byRule('payments.method'),
  'payment.v4.method': byRule('payments.method'),
  'payment.v5.method': byRule('payments.method'),
  'bulk-payment.v3.method': byRule('payments.method'),
  'bulk-payment.v4.method': byRule('payments.method'),
  'bulk-payment.v5.method': byRule('payments.method'),
  'payment.v5.paused-message': byRule('payments.paused.place'),
  'payment.v4.v2-path': byRule('payments.sample-path'),
  'bulk-payment.v5.state': byRule('payments.confirm-bulk.state'),
  'bulk-payment.group-ids': byRule('payments.confirm-bulk.group-ids'),
  'payment.canceled': byRule('payments.canceled'),
  'payment.repeat': byRule('payments.repeat'),
  'callback.retries': byRule('callback.retries'),
  'callback.timeout-seconds': byRule('callback.timeout'),
  'callback.signature': byRule('callback.signature'),
  'callback.failure-body': byRule('callback.failure-body'),
  'callback.auth': byRule('callback.auth'),
  'rate-limit.per-minute': leftOut('it takes so many requests that the deployment may lock the channel out'),
  'body.max-bytes': byRule('limits.body-size'),
  'path.trailing-slash': byRule('versions.trailing-slash'),
  'versions.deprecation': byRule('versions.deprecation'),
};

/** Where the observed answers differ from those of a card, one sentence each. */
export function differences(observed: Partial<Answers>, card: Partial<Answers>): string[] {
  return (Object.keys(observed) as QuestionId[])
    .filter((id) => card[id] !== undefined && JSON.stringify(card[id]) !== JSON.stringify(observed[id]))
    .map((id) => `${id} was ${JSON.stringify(card[id])} on the card and is ${JSON.stringify(observed[id])} now`);
}

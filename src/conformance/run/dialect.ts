import type { GivenAnswers, QuestionId, RuleId } from '../../contract/index.js';
import type { LowerBounds } from '../client/types.js';

/** The rule that observes the answer to a question, or the reason why no rule can. */
export type AnswerSource = { readonly by: RuleId } | { readonly leftOut: string };

const byRule = (by: RuleId): AnswerSource => ({ by });
const leftOut = (why: string): AnswerSource => ({ leftOut: why });

/** Every open question, with the rule that calls `observe` for it. */
export const answerSources: Readonly<Record<QuestionId, AnswerSource>> = {
  'auth.bearer-header': byRule('auth.bearer-header'),
  'auth.schemes': byRule('auth.basic'),
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
  'payment-rule.duration-unit': leftOut('only the text of a description could show the unit'),
  'teetimes.price-meaning': byRule('teetimes.price-step.meaning'),
  'teetimes.players-field': byRule('teetimes.item-v3.players-meaning'),
  'teetimes.product-players': byRule('teetimes.product.players'),
  'teetimes.linked-products': byRule('teetimes.product.linked-elements'),
  'search.date-format': byRule('search.date-format'),
  'search.unknown-facility': byRule('search.unknown-facility'),
  'search.max-facility-days': leftOut('it would need searches so large that they burden the deployment'),
  'prices.default-limit': byRule('prices.default-limit'),
  'prices.max-limit': byRule('prices.max-limit'),
  'prices.over-max-limit': byRule('prices.max-limit'),
  'prices.default-offset': byRule('prices.default-offset'),
  'prices.availability': byRule('prices.agrees-availability'),
  'prices.total-meaning': byRule('prices.total'),
  'prices.max-days': leftOut('it would need price requests so large that they burden the deployment'),
  'booking.contact': byRule('bookings.request.contactName'),
  'booking.facility-id': byRule('bookings.request.facilityId.string'),
  'booking.net-rate-form': byRule('bookings.request.netRate.form'),
  'booking.net-rate-check': byRule('bookings.request.netRate.check'),
  'booking.unknown-fields': byRule('bookings.request.unknown-fields'),
  'booking.null-optional': byRule('bookings.request.null-optional'),
  'booking.v3-required': byRule('bookings.request.v3-required'),
  'booking.linked-ref-single': byRule('bookings.request.linkedTeeTimeRef.single'),
  'booking.group-failure': byRule('bookings.create.atomic'),
  'booking.invalid-body': byRule('errors.create.invalid-body'),
  'booking.id-form': byRule('bookings.id.form'),
  'booking.cancel': byRule('bookings.cancel'),
  'success.create-status': byRule('bookings.create.status'),
  'success.accepted-status': byRule('search.request'),
  'time.borders': byRule('bookings.time-borders'),
  'booking-list.order': byRule('bookings.list.order'),
  'booking-list.to-date': byRule('bookings.list.to-date-inclusive'),
  'time.created-zone': byRule('bookings.item.created-zone'),
  'payment.method': byRule('payments.method'),
  'bulk-payment.method': byRule('payments.method'),
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
  'rate-limit.per-minute': leftOut('it would need so many requests that the deployment might lock the channel out'),
  'body.content-type': byRule('envelope.json-body'),
  'body.max-bytes': byRule('limits.body-size'),
  'path.trailing-slash': byRule('versions.trailing-slash'),
  'versions.deprecation': byRule('versions.deprecation'),
};

/** The differences between the observed answers and a card, one sentence each; by version if versions may differ. */
export function differences(observed: GivenAnswers, card: GivenAnswers): string[] {
  return (Object.keys(observed) as QuestionId[]).flatMap((id) => {
    const [seen, said] = [observed[id], card[id]] as readonly unknown[];
    if (!isByVersion(seen)) return difference(id, seen, said);
    return Object.entries(seen).flatMap(([version, answer]) =>
      difference(`${id} (${version})`, answer, isByVersion(said) ? said[version] : said),
    );
  });
}

/** The differences between a card and the numbers that limits are not below; 0 on a card is no limit. */
export function belowBounds(bounds: LowerBounds, card: GivenAnswers): string[] {
  return Object.entries(bounds).flatMap(([id, number]) => {
    const said = (card as Readonly<Record<string, unknown>>)[id];
    const fits = typeof said !== 'number' || said === 0 || said >= number;
    return fits ? [] : [`${id} was ${said} on the card and is ${boundText(number)} now`];
  });
}

/** What is known of a limit that no request has reached. */
export const boundText = (number: number): string => `at least ${number}`;

function difference(what: string, seen: unknown, said: unknown): string[] {
  const [now, before] = [seen, said].map((answer) => JSON.stringify(answer));
  if (before === undefined || before === now) return [];
  return [`${what} was ${before} on the card and is ${now} now`];
}

function isByVersion(answer: unknown): answer is Readonly<Record<string, unknown>> {
  return typeof answer === 'object' && answer !== null && !Array.isArray(answer);
}

/** An answer in words, such as `post`, `v1, v2` or `v4: get, v5: both`. */
export function answerText(answer: unknown): string {
  if (Array.isArray(answer)) return answer.join(', ') || 'none';
  if (!isByVersion(answer)) return String(answer);
  return Object.entries(answer)
    .map(([version, option]) => `${version}: ${String(option)}`)
    .join(', ');
}

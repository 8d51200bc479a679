import { exactAmount } from '../../../common/index.js';
import { type Answers, type RuleId, operationOf } from '../../../contract/index.js';
import {
  changedBooking,
  forEach,
  type OptionalField,
  plainControl,
  richControl,
  type ControlRequest,
} from '../../journeys/booking-probes.js';
import { UNKNOWN_ID } from '../../journeys/material.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import { ALMOST_UUID, isTaken, refusesBooking } from './probe.js';
import {
  bulkBooking,
  type Creation,
  creations,
  type Feature,
  productBooking,
  requires,
  roundBooking,
  takes,
} from '../../client/operations.js';
import type { Session } from '../../client/session.js';
import { bookingWithSingleName } from '../../journeys/booking-variants.js';
import { booking, needsSingleName } from '../../journeys/bookings.js';
import { Inconclusive, Refused } from '../../client/outcome.js';
import type { RequestBody } from './requests-optional.js';

/** How a rule answers an open question: a valid booking, and the change that the question is about. */
interface Asked<Q extends keyof Answers> {
  readonly id: RuleSpec['id'];
  readonly question: Q;
  readonly creation?: Creation;
  readonly control?: (session: Session) => Promise<ControlRequest>;
  readonly changes: (body: RequestBody, session: Session) => RequestBody;
  readonly taken: Answers[Q];
  readonly refused: Answers[Q];
}

/** An amount in a string, with all its decimals, and at least two. */
function amountText(amount: number): string {
  return amount.toFixed(Math.max(2, /\.(\d+)/.exec(String(amount))?.[1]?.length ?? 0));
}

/**
 * A rule that sends a booking of a kind that the API specification leaves open, and observes whether it is accepted.
 */
function asks<Q extends keyof Answers>(asked: Asked<Q>): RuleSpec {
  const {
    id,
    question,
    creation = productBooking,
    control = (session) => plainControl(session, creation),
    changes,
  } = asked;
  return defineRule({
    id,
    needs: ['bookings'],
    async run(context) {
      const { session, observe } = context;
      const right = await control(session);
      const probe = await changedBooking(session, creation, right, (body) => changes(body, session));
      observe(question, (await isTaken(context, probe, right.reply)) ? asked.taken : asked.refused);
    },
  });
}

interface AskedOfEach<Q extends keyof Answers> extends Pick<Asked<Q>, 'id' | 'question'> {
  readonly creation: Creation;
  /** `comments` is never among them: it identifies the bookings of the run. */
  readonly fields: readonly string[];
  /** What each of them has in turn; `undefined` leaves it out. */
  readonly value: null | undefined;
  /** By the fields of which the booking is refused, in their order. */
  readonly answers: Readonly<Record<string, Answers[Q]>>;
}

/** A rule that changes one field of a right booking at a time, as several changes at once do not tell which counted. */
function asksEach<Q extends keyof Answers>({
  id,
  question,
  creation,
  fields,
  value,
  answers,
}: AskedOfEach<Q>): RuleSpec {
  return defineRule({
    id,
    needs: ['bookings'],
    async run(context) {
      const control = await plainControl(context.session, creation);
      const refused: string[] = [];
      for (const field of fields) {
        const probe = await changedBooking(context.session, creation, control, () => ({ [field]: value }));
        if (!(await isTaken(context, probe, control.reply))) refused.push(field);
      }
      const answer = answers[refused.join(', ')];
      if (answer === undefined) {
        throw new Inconclusive(
          'precondition',
          `one answer for all fields (refused were those of ${refused.join(', ')})`,
        );
      }
      context.observe(question, answer);
    },
  });
}

const withNetRate = (session: Session): Promise<ControlRequest> => richControl(session, productBooking, 'net-rate');

/** Rules of what a booking request may have in some deployments. */
export const openRequestRules: readonly RuleSpec[] = [
  defineRule({
    id: 'bookings.request.contactName',
    needs: ['bookings'],
    async run({ session, observe }) {
      if (await needsSingleName(session)) return observe('booking.contact', 'single');
      await booking(session, productBooking);
      const taken = await bookingWithSingleName(session).catch((error: unknown) => {
        if (!(error instanceof Refused)) throw error;
      });
      observe('booking.contact', taken ? 'either' : 'fields');
    },
  }),
  asks({
    id: 'bookings.request.facilityId.string',
    question: 'booking.facility-id',
    changes: ({ facilityId }) => ({ facilityId: String(facilityId) }),
    taken: 'either',
    refused: 'integer',
  }),
  asks({
    id: 'bookings.request.netRate.form',
    question: 'booking.net-rate-form',
    control: withNetRate,
    changes: ({ netRate }) => ({ netRate: amountText(netRate as number) }),
    taken: 'either',
    refused: 'number',
  }),
  asks({
    id: 'bookings.request.netRate.check',
    question: 'booking.net-rate-check',
    control: withNetRate,
    changes: ({ netRate }) => ({ netRate: exactAmount((netRate as number) + 1) }),
    taken: 'unchecked',
    refused: 'checked',
  }),
  asks({
    id: 'bookings.request.linkedTeeTimeRef.single',
    question: 'booking.linked-ref-single',
    changes: (_, session) => ({ linkedTeeTimeRef: session.uuid() }),
    taken: 'accepted',
    refused: 'refused',
  }),
  asks({
    id: 'bookings.request.unknown-fields',
    question: 'booking.unknown-fields',
    changes: () => ({ 'x-unknown': 'conformance check' }),
    taken: 'ignored',
    refused: 'refused',
  }),
  asksEach({
    id: 'bookings.request.null-optional',
    question: 'booking.null-optional',
    creation: productBooking,
    fields: ['netRate', 'extraProduct', 'additionalPlayers', 'linkedTeeTimeRef', 'providerPlayerTypeId'],
    value: null,
    answers: {
      '': 'accepted',
      'netRate, extraProduct, additionalPlayers, linkedTeeTimeRef, providerPlayerTypeId': 'refused',
    },
  }),
  asksEach({
    id: 'bookings.request.v3-required',
    question: 'booking.v3-required',
    creation: bulkBooking,
    fields: ['extraProduct', 'additionalPlayers', 'linkedTeeTimeRef'],
    value: undefined,
    answers: {
      '': 'core',
      'extraProduct, additionalPlayers': 'every-but-reference',
      'extraProduct, additionalPlayers, linkedTeeTimeRef': 'every',
    },
  }),
];

/** A field of a booking and its invalid values; `undefined` leaves the field out. */
interface Field {
  readonly field: string;
  /** The rule, if it is not the one of the field. */
  readonly rule?: string;
  /** A field of the items, if the field itself is a list. */
  readonly key?: string;
  /** Restricts the versions; the default is all that have the field. */
  readonly only?: Feature;
  readonly broken: readonly unknown[];
  /** The optional field that the valid booking needs, if any. */
  readonly facet?: OptionalField;
}

const missing = undefined;
/** A value that cannot be read as text or as a number. */
const object = { value: 'conformance check' };

/** Values without which nobody knows what is booked, or that are outside the limits. */
const refused: readonly Field[] = [
  { field: 'facilityId', broken: [missing, 'abc'] },
  { field: 'teetime', broken: [missing] },
  { field: 'course', broken: [missing] },
  { field: 'round', broken: [missing] },
  { field: 'players', broken: [missing, 0, 5] },
  { field: 'teeId', broken: [missing, 'abc', UNKNOWN_ID] },
  { field: 'holes', broken: [missing, 12] },
  { field: 'productId', broken: [missing, UNKNOWN_ID] },
  { field: 'contactFirstName', broken: [missing] },
  { field: 'contactLastName', broken: [missing] },
  { field: 'contactPhone', broken: [missing] },
  { field: 'contactEmail', broken: [missing] },
  { field: 'netRate', rule: 'netRate.bulk', only: requires('netRate'), broken: [missing] },
  // Its row names the list and the details form, which v5 has.
  { field: 'linkedTeeTimeRef', only: requires('productId'), broken: ['not-a-uuid', ALMOST_UUID], facet: 'reference' },
];

/** Values of another type than the API specification gives. It does not say that they are refused. */
const otherForms: readonly Field[] = [
  ...[
    { field: 'course', broken: [object] },
    { field: 'round', broken: [object] },
    { field: 'players', broken: ['two'] },
    { field: 'holes', broken: ['nine'] },
    { field: 'productId', broken: ['abc'] },
    { field: 'contactPhone', broken: [object] },
    { field: 'contactEmail', broken: [object] },
    { field: 'comments', broken: [object] },
    { field: 'netRate', broken: ['a lot', object], facet: 'net-rate' as const },
    { field: 'extraProduct', broken: ['buggy', ['buggy']], facet: 'extras' as const },
    { field: 'additionalPlayers', broken: ['Ann Lee', ['Ann Lee']], facet: 'players' as const },
    { field: 'providerPlayerTypeId', broken: [object], facet: 'player-type' as const },
  ].map((row) => ({ ...row, rule: 'form' })),
  { field: 'teetime', rule: 'teetime.check', broken: ['soon', '2020-02-30 10:00:00', '2020-01-01 10:00:00'] },
  { field: 'extraProduct', rule: 'extraProduct.unknown', key: 'mid', broken: [UNKNOWN_ID], facet: 'extras' },
  { field: 'extraProduct', key: 'mid', broken: ['abc'], facet: 'extras' },
  { field: 'extraProduct', key: 'quantity', broken: ['two'], facet: 'extras' },
  { field: 'additionalPlayers', key: 'firstName', broken: [object], facet: 'players' },
  { field: 'additionalPlayers', key: 'lastName', broken: [object], facet: 'players' },
];

/** The operations whose bookings have a field. */
const creationsWith = ({ field, only = () => true }: Field): readonly Creation[] =>
  creations.filter(({ operation }) => takes(field)(operationOf(operation)) && only(operationOf(operation)));

const nameOf = ({ field, key }: Field): string => (key === undefined ? field : `${field}.${key}`);
const ruleOf = (row: Field): string => row.rule ?? nameOf(row);
/** A single name stands for a first or last name. */
const alsoMissing = (field: string): object => (/^contact.*Name$/.test(field) ? { contactName: missing } : {});

/** Sends each broken value of a field, in each operation that has it. */
async function refusesBroken(context: RuleContext, row: Field): Promise<void> {
  const { field, key, broken, facet } = row;
  const { session } = context;
  await forEach(creationsWith(row), async (creation) => {
    const rich = facet !== undefined && creation.form !== 'round';
    const control = rich ? await richControl(session, creation, facet) : await plainControl(session, creation);
    for (const [index, value] of broken.entries()) {
      const changes = (body: RequestBody): RequestBody => ({
        ...alsoMissing(field),
        [field]: key === undefined ? value : [{ ...(body[field] as object[])[0], [key]: value }],
      });
      const how =
        value === undefined ? `without \`${nameOf(row)}\`` : `with \`${nameOf(row)}\` ${JSON.stringify(value)}`;
      const probe = await changedBooking(session, creation, control, changes);
      await refusesBooking(context, probe, control.reply, `A ${creation.version} booking ${how} is not refused.`);
      // Each place of a list, and each shape of a body, may be checked by itself.
      if (!refused.includes(row) || creation.form === 'round') continue;
      const places = [
        ...(index === 0 ? ['list' as const] : []),
        ...(creation === productBooking ? ['details' as const] : []),
      ];
      for (const place of places) {
        const second = await changedBooking(session, creation, control, changes, place);
        const of = place === 'list' ? 'a list' : '`details`';
        const where = `A ${creation.version} booking ${how}, the second of ${of}, is not refused.`;
        await refusesBooking(context, second, control.reply, where);
      }
    }
  });
}

function rulesOf(rows: readonly Field[]): readonly RuleSpec[] {
  return [...new Set(rows.map(ruleOf))].map((name) =>
    defineRule({
      id: `bookings.request.${name}` as RuleId,
      needs: ['bookings'],
      run: (context) =>
        forEach(
          rows.filter((row) => ruleOf(row) === name),
          (row) => refusesBroken(context, row),
        ),
    }),
  );
}

/** Rules of booking requests with an invalid field, and of those of which nobody knows whether they are refused. */
export const bookingRequestRules: readonly RuleSpec[] = [
  ...rulesOf(refused),
  ...rulesOf(otherForms),
  defineRule({
    id: 'bookings.request.v2-required',
    needs: ['bookings'],
    async run(context) {
      const control = await plainControl(context.session, roundBooking);
      for (const row of refused) {
        const { field, broken } = row;
        if (!creationsWith(row).includes(roundBooking) || !broken.includes(missing)) continue;
        const probe = await changedBooking(context.session, roundBooking, control, () => ({
          ...alsoMissing(field),
          [field]: missing,
        }));
        await refusesBooking(
          context,
          probe,
          control.reply,
          `A ${roundBooking.version} booking without \`${field}\` is not refused.`,
        );
      }
    },
  }),
];

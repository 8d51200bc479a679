import type { RuleId } from '../../generated/rule-basis.js';
import type { BookVersion } from '../journeys/bookings.js';
import { changed, type Facet, forEach, plainTwin, refusesBooking, richTwin } from '../journeys/booking-probes.js';
import { UNKNOWN_ID } from '../journeys/unknown-id.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';

/** A field of a booking and what must be refused in its place; `undefined` is the field left out. */
interface Field {
  readonly field: string;
  /** A field of the items, where the field itself is a list. */
  readonly key?: string;
  readonly versions: readonly BookVersion[];
  readonly broken: readonly unknown[];
  /** Where a right booking must have it to be compared with. */
  readonly facet?: Facet;
}

const all = ['v2', 'v3', 'v5'] as const;
const newer = ['v3', 'v5'] as const;
const missing = undefined;
/** No text and no number, however generously it is read. */
const object = { value: 'conformance check' };

/**
 * Only what no reading of the document lets pass. Numbers in quotes, texts that are empty, and a course or holes other
 * than those of the tee time are not among them.
 */
const fields: readonly Field[] = [
  { field: 'facilityId', versions: all, broken: [missing, 'abc'] },
  { field: 'teetime', versions: all, broken: [missing, 'soon', '2020-02-30 10:00:00', '2020-01-01 10:00:00'] },
  { field: 'course', versions: newer, broken: [missing, object] },
  { field: 'round', versions: ['v2'], broken: [missing, object] },
  { field: 'players', versions: all, broken: [missing, 0, 5, 'two'] },
  { field: 'teeId', versions: all, broken: [missing, 'abc', UNKNOWN_ID] },
  { field: 'holes', versions: all, broken: [missing, 12, 'nine'] },
  { field: 'productId', versions: ['v5'], broken: [missing, 'abc', UNKNOWN_ID] },
  { field: 'contactFirstName', versions: all, broken: [missing, object] },
  { field: 'contactLastName', versions: all, broken: [missing, object] },
  { field: 'contactPhone', versions: all, broken: [missing, object] },
  { field: 'contactEmail', versions: all, broken: [missing, object] },
  { field: 'comments', versions: all, broken: [object] },
  { field: 'netRate', versions: ['v3'], broken: [missing] },
  { field: 'netRate', versions: newer, broken: ['a lot', object], facet: 'net-rate' },
  { field: 'extraProduct', versions: newer, broken: ['buggy', ['buggy']], facet: 'extras' },
  { field: 'extraProduct', key: 'mid', versions: newer, broken: ['abc'], facet: 'extras' },
  { field: 'extraProduct', key: 'quantity', versions: newer, broken: ['two'], facet: 'extras' },
  { field: 'additionalPlayers', versions: newer, broken: ['Ann Lee', ['Ann Lee']], facet: 'players' },
  { field: 'additionalPlayers', key: 'firstName', versions: newer, broken: [object], facet: 'players' },
  { field: 'additionalPlayers', key: 'lastName', versions: newer, broken: [object], facet: 'players' },
  { field: 'linkedTeeTimeRef', versions: ['v5'], broken: ['not-a-uuid'], facet: 'reference' },
  { field: 'providerPlayerTypeId', versions: ['v5'], broken: [object], facet: 'player-type' },
];

const nameOf = ({ field, key }: Field): string => (key === undefined ? field : `${field}.${key}`);

/** Sends each broken value of a field, in each version that has it. */
async function refusesBroken(context: RuleContext, row: Field): Promise<void> {
  const { field, key, versions, broken, facet } = row;
  const { session } = context;
  await forEach(versions, async (version) => {
    const rich = facet !== undefined && version !== 'v2';
    const twin = rich ? await richTwin(session, version, facet) : await plainTwin(session, version);
    for (const value of broken) {
      const probe = await changed(session, version, twin, (body) => ({
        [field]: key === undefined ? value : [{ ...(body[field] as object[])[0], [key]: value }],
      }));
      const how =
        value === undefined ? `without \`${nameOf(row)}\`` : `with \`${nameOf(row)}\` ${JSON.stringify(value)}`;
      await refusesBooking(context, probe, twin.reply, `A ${version} booking ${how} is not refused.`);
    }
  });
}

function rulesOf(rows: readonly Field[]): readonly RuleSpec[] {
  return [...new Set(rows.map(nameOf))].map((name) =>
    defineRule({
      id: `bookings.request.${name}` as RuleId,
      needs: ['bookings'],
      run: (context) =>
        forEach(
          rows.filter((row) => nameOf(row) === name),
          (row) => refusesBroken(context, row),
        ),
    }),
  );
}

/** Rules of the fields of a booking request that must be refused when they are wrong. */
export const bookingRequestRules: readonly RuleSpec[] = [
  ...rulesOf(fields),
  defineRule({
    id: 'bookings.request.v2-required',
    needs: ['bookings'],
    async run(context) {
      const twin = await plainTwin(context.session, 'v2');
      for (const { field, versions, broken } of fields) {
        if (!versions.includes('v2') || !broken.includes(missing)) continue;
        const probe = await changed(context.session, 'v2', twin, () => ({ [field]: missing }));
        await refusesBooking(context, probe, twin.reply, `A v2 booking without \`${field}\` is not refused.`);
      }
    },
  }),
];

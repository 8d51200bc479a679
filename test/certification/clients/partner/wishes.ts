import type { components } from '../../../../src/contract/generated/types.js';
import { bodyTime } from './dates.js';
import type { Agreement } from './host.js';
import { coveredBy, type Offer } from './tee-sheets.js';

type Schemas = components['schemas'];

export interface Guest {
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
  readonly email: string;
}

/** A tee time that a customer wants. */
export interface Wish {
  readonly offer: Offer;
  readonly players: number;
  readonly guest: Guest;
  readonly comments?: string;
  readonly linkedTeeTimeRef?: string;
}

type Contact = Agreement['contact'];

function namesOf({ firstName, lastName }: Guest, contact: Contact): Schemas['FullName'] | Schemas['SingleName'] {
  return contact === 'single'
    ? { contactName: `${firstName} ${lastName}` }
    : { contactFirstName: firstName, contactLastName: lastName };
}

/** What the bodies of all versions share, as the tee sheet has it. */
function common({ offer, players, guest }: Wish, contact: Contact) {
  return {
    facilityId: offer.facilityId,
    teetime: bodyTime(offer.time),
    players,
    teeId: offer.teeId,
    holes: offer.holes,
    ...namesOf(guest, contact),
    contactPhone: guest.phone,
    contactEmail: guest.email,
  };
}

/** A booking in the form of v5. */
export function fullBody(wish: Wish, contact: Contact): Schemas['BookingRequestV5'] {
  const { offer, players, guest, comments, linkedTeeTimeRef } = wish;
  const others = Array.from({ length: players - 1 }, (_, at) => ({
    firstName: `Guest ${at + 1}`,
    lastName: guest.lastName,
  }));
  return {
    ...common(wish, contact),
    course: offer.course,
    productId: offer.product!.id,
    ...(offer.netRate === undefined ? {} : { netRate: offer.netRate }),
    ...(comments === undefined ? {} : { comments }),
    ...(others.length > 0 ? { additionalPlayers: others } : {}),
    ...(linkedTeeTimeRef === undefined ? {} : { linkedTeeTimeRef }),
  };
}

/** A booking in the v3 bulk form: every field is required, so a tee time on its own is a linked group of its own. */
export function bulkBody(wish: Wish, contact: Contact, newId: () => string): Schemas['BookingRequestV3'] {
  return {
    ...common(wish, contact),
    course: wish.offer.course,
    netRate: wish.offer.netRate ?? 0,
    extraProduct: [],
    comments: wish.comments ?? '',
    additionalPlayers: [],
    linkedTeeTimeRef: wish.linkedTeeTimeRef ?? newId(),
  };
}

/** A booking in the v2 form. */
export function roundBody(wish: Wish, contact: Contact): Schemas['BookingRequestV2'] {
  const { offer, comments } = wish;
  return { ...common(wish, contact), round: offer.course, ...(comments === undefined ? {} : { comments }) };
}

/** Minutes after which a round of nine holes is over. */
const MINUTES_A_HOLE = 14;

/** The tee times of one product that covers more holes than a tee time has, one round after the other. */
export function linkedRounds(offers: readonly Offer[]): readonly Offer[] {
  const linked = offers.filter((offer) => coveredBy(offer) > offer.holes);
  for (const first of linked) {
    const rounds = [first];
    const same = linked.filter(({ product, course }) => product!.id === first.product!.id && course === first.course);
    for (const next of same) {
      if (rounds.length * first.holes >= coveredBy(first)) break;
      const gap = Date.parse(`${next.time}Z`) - Date.parse(`${rounds.at(-1)!.time}Z`);
      if (gap >= first.holes * MINUTES_A_HOLE * 60_000) rounds.push(next);
    }
    if (rounds.length * first.holes >= coveredBy(first)) return rounds;
  }
  return [];
}

/** The facts of a finding that names what is wrong, by kind of defect. */
export const factsOf = {
  slots: /^(slots|oversold|filter|prices)$/,
  bookings: /^(missing|foreign|twice|content|state|lists|phantom|ids)$/,
  tokens: /^(tokens|access)$/,
  errors: /^(server-error|read)$/,
} as const;

type Everyday = Readonly<Partial<Record<keyof typeof factsOf, readonly string[]>>>;

/**
 * Everyday regressions of the independent deployments that change what is booked, how it is shown, or which tokens are valid.
 * Those about the form of one response, and about wrong requests that are accepted, are for `check`.
 */
export const everyday = {
  arrays: {
    slots: [
      'A refused booking of several tee times with payment keeps the ones before the refused one.',
      'A v2 booking that is refused for its contact keeps its slots.',
      'A v4 bulk payment releases the slots of the group.',
      'The v3 tee sheet comes from the cache even after a booking.',
      'Two bookings of one tee time in one request take only the slots of the last.',
    ],
    bookings: [
      'A v4 payment sets the status of the booking to PAID.',
      'Every access token acts for the first channel.',
      'The third booking of a request is stored with the contact of the second.',
    ],
    tokens: ['The initial refresh token stays valid after its use.'],
  },
  structs: {
    slots: [
      'A v3 bulk booking that fails keeps the bookings before the failing one',
      'A v5 booking refused for an unknown extra product keeps its slots',
      'The pricing endpoint does not count bookings of v2 and v3',
      'The slots of a group are offered again after its bulk payment',
      'Two v2 bookings at the same time both get the last slots',
      'v3 offers a group of three the tee times with two free slots',
      'v4 keeps a tee sheet that it has returned once',
    ],
    bookings: [
      'A bearer token acts for the channel that refreshed last',
      'A booking has the status PAID after the v4 payment confirmation',
      'v2 stores the first name as the last name and the last as the first',
    ],
    tokens: ['Only the initial refresh token is invalidated; later ones can be used again'],
  },
  plain: {
    slots: [
      'a booking does not lower availability',
      'a booking of v2 does not lower availability',
      'a booking takes one place',
      'a booking takes one slot from the price list, whatever its players',
      'a group books its first tee time twice',
      'a group lowers availability of its first tee time',
      'a group takes the same places twice',
      'a linked group takes places of its first tee time alone',
      'a payment books again',
      'a refused group takes places',
      'a refused one is listed',
      'a refused one takes places',
      'another tee time is stored',
      'booked places are still available',
      'booked places are still free in v2',
      'extra products take places',
      'more players than places',
      'named players take places again',
      'one player is stored',
      'the same booking again answers the first one',
      'two at once both find the last places',
    ],
    bookings: [
      'a booking is missing in the list',
      'a booking twice in the list',
      'a group is missing in the list',
      'a paid group has a state of its own',
      'a payment cancels',
      'bookings of the other channel',
      'bookings of v2 are missing in v4',
      'every bearer is the first channel',
      'groups share their number',
      'linked tee times are missing in the list',
      'no more than six bookings',
      'the bookings of a group share their id',
      'the bookings of all channels by a bearer',
      'the ids of a group changed over',
      'the second booking of a group is missing',
      'two bookings of a tee time share their id',
      'v1 lists every booking for one player',
      'v1 lists no booking of a bulk body',
      'v2 lists the bookings of the first channel to the second',
    ],
    tokens: [
      'a refresh ends the refresh tokens that were issued to any channel',
      'a refresh gives the same access token',
      'a refresh gives the same token back',
      'a refresh token lasts',
      'a spent token is taken by another version',
      'the new refresh token does not work',
    ],
    errors: ['a refresh ends the tokens of all channels', 'a second payment crashes'],
  },
} as const satisfies Readonly<Record<string, Everyday>>;

import { type Ask, type Defect, type Fields, invented, type Ledger, refusal, success } from './defective.js';

const isBooking = ({ kind }: Ask): boolean => kind === 'book';
const shiftAll = (items: readonly Fields[], ledger: Ledger, sign: 1 | -1): void => {
  for (const { teeId, players } of items) ledger.shift(teeId, sign * players);
};
const slotsBack = (id: string, ledger: Ledger, sign: 1 | -1 = 1): void => {
  const made = ledger.made.get(id);
  if (made) ledger.shift(made.item['teeId'], sign * made.item['players']);
};
const groupOf = (id: string, ledger: Ledger): readonly string[] => {
  const group = ledger.made.get(id)?.group;
  return [...ledger.made].filter(([, one]) => one.group === group).map(([other]) => other);
};
const counter = (): (() => number) => {
  let count = 0;
  return () => (count += 1);
};
/** Does something after each operation of a kind that was accepted, or that was refused. */
const after =
  (
    kind: Ask['kind'],
    isAccepted: boolean,
    work: (ask: Ask, ledger: Ledger, body: any) => Response | undefined | void,
  ) =>
  (): Defect => ({
    after: (ask, ok, ledger, body) => (ask.kind === kind && ok === isAccepted ? work(ask, ledger, body) : undefined),
  });
const lists = (change: NonNullable<Defect['list']>) => (): Defect => ({ list: change });
const caching = (isKept: (ask: Ask) => boolean) => (): Defect => ({ caches: isKept });

/** Defects that take two or more steps, or two clients, to be seen. */
export const defects: Readonly<Record<string, () => Defect>> = {
  /* Groups */
  'leaks the slots of a list when its third item fails': after('book', false, ({ items, shape }, ledger) => {
    if (shape !== 'one' && items.length > 2) shiftAll(items.slice(0, 2), ledger, -1);
  }),
  'leaks the first slot of a bulk booking that is refused': after('book', false, ({ items, version }, ledger) => {
    if (version === 'v3' && items.length > 1) shiftAll(items.slice(0, 1), ledger, -1);
  }),
  'leaks a slot when a booking by `details` is refused': after('book', false, ({ items, shape }, ledger) => {
    if (shape === 'details') ledger.shift(items[0]!['teeId'], -1);
  }),
  'takes the slots of the first item alone when all items have as many players': after(
    'book',
    true,
    ({ items }, ledger) => {
      if (items.length > 2 && new Set(items.map(({ players }) => players)).size === 1)
        shiftAll(items.slice(1), ledger, 1);
    },
  ),
  'takes the last item of a list of four twice': after('book', true, ({ items }, ledger) => {
    if (items.length > 3) shiftAll(items.slice(-1), ledger, -1);
  }),
  'does not take the second tee time of a linked group': after('book', true, ({ items, isLinked }, ledger) => {
    if (isLinked) shiftAll(items.slice(1), ledger, 1);
  }),
  'blocks a tee time after a booking that found it full': after('book', false, ({ items }, ledger) => {
    for (const { teeId } of items) if (ledger.of(teeId).length > 0) ledger.shift(teeId, -4);
  }),
  'gives the slots of the last booking back when the next one has an unknown product': after(
    'book',
    false,
    ({ items }, ledger) => {
      const bad = items.find(({ productId }) => productId === 2_147_483_646);
      const last = bad && ledger.of(bad['teeId']).at(-1);
      if (last !== undefined) slotsBack(last, ledger);
    },
  ),

  /* Payments */
  'frees the slots at the second payment': after('pay', true, ({ id }, ledger) => {
    if (ledger.paid.get(id) === 1) slotsBack(id, ledger);
  }),
  'cancels a booking when it is paid by v1 after v4': after('pay', true, ({ id, version }, ledger) => {
    const before = ledger.memo.get(`paid ${id}`);
    ledger.memo.set(`paid ${id}`, version);
    if (version === 'v1' && before === 'v4') ledger.states.set(id, 'CANCELED');
  }),
  'refuses the third payment': () => ({
    before: ({ kind, id }, ledger) => (kind === 'pay' && (ledger.paid.get(id) ?? 0) >= 2 ? refusal() : undefined),
  }),
  'cancels the other bookings of a tee time when one is paid': after('pay', true, ({ id }, ledger) => {
    const teeId = ledger.made.get(id)?.item['teeId'];
    for (const other of ledger.of(teeId)) if (other !== id) ledger.states.set(other, 'CANCELED');
  }),
  'drops a booking of a group from the lists when the group is paid after it': after(
    'pay group',
    true,
    ({ id }, ledger) => {
      const paid = [...ledger.made].find(([own, one]) => one.group === id && ledger.paid.has(own));
      if (paid) ledger.hidden.add(paid[0]);
    },
  ),
  'shows a cancelled booking as active when it is paid': after('pay', true, ({ id }, ledger) => {
    if (ledger.canceled.has(id)) ledger.states.set(id, 'BOOKED');
  }),
  'takes the slots again when a cancelled booking is paid': after('pay', true, ({ id }, ledger) => {
    if (ledger.canceled.has(id)) slotsBack(id, ledger, -1);
  }),

  /* Cancellations */
  'gives slots back twice when a booking is cancelled twice': () => ({
    after: ({ kind, id }, _ok, ledger) => void (kind === 'cancel' && ledger.canceled.has(id) && slotsBack(id, ledger)),
  }),
  'keeps the slots of a paid booking that is cancelled': after('cancel', true, ({ id }, ledger) => {
    if (ledger.paid.has(id)) slotsBack(id, ledger, -1);
  }),
  'cancels the whole group with one of its bookings': after('cancel', true, ({ id }, ledger) => {
    for (const other of groupOf(id, ledger)) ledger.states.set(other, 'CANCELED');
  }),
  'gives the slots of the whole group back with one of its bookings': after('cancel', true, ({ id }, ledger) => {
    for (const other of groupOf(id, ledger)) if (other !== id) slotsBack(other, ledger);
  }),
  'drops the newest booking of the tee time with a cancelled one': after('cancel', true, ({ id }, ledger) => {
    const teeId = ledger.made.get(id)?.item['teeId'];
    const other = ledger.of(teeId).findLast((one) => one !== id && !ledger.canceled.has(one));
    if (other !== undefined) ledger.hidden.add(other);
  }),
  'refuses bookings of a tee time after a cancellation': () => ({
    before: ({ kind, items }, ledger) => {
      const hadOne = (teeId: number): boolean => ledger.of(teeId).some((id) => ledger.canceled.has(id));
      return kind === 'book' && items.some(({ teeId }) => hadOne(teeId)) ? refusal() : undefined;
    },
  }),
  'uses the id of a cancelled booking again': () => {
    const free: string[] = [];
    return {
      after: (ask, ok, _, body) => {
        if (ok && ask.kind === 'cancel') free.push(ask.id);
        if (ok && isBooking(ask) && ask.shape === 'one' && free.length > 0)
          return success({ ...body.data, bookingId: free.shift()! });
        return undefined;
      },
    };
  },

  /* Lists */
  'shows ten bookings in v4': lists((items, { version }) => (version === 'v4' ? items.slice(0, 10) : items)),
  'shows the oldest ten bookings in v2': lists((items, { version }) => (version === 'v2' ? items.slice(-10) : items)),
  'shows two bookings of a tee time as one in v1': lists((items, { version }) => {
    const seen = new Set<string>();
    return version === 'v1'
      ? items.filter(({ teeId, teetime }) => !seen.has(`${teeId} ${teetime}`) && seen.add(`${teeId} ${teetime}`))
      : items;
  }),
  'shows the players of the last booking for all of a tee time in v2': lists((items, { version }) => {
    const last = new Map(items.map(({ teeId, players }) => [teeId, players]));
    return version === 'v2' ? items.map((item) => ({ ...item, players: last.get(item['teeId']) })) : items;
  }),
  'overwrites a booking by a bulk booking of the same tee time': after('book', true, ({ items, version }, ledger) => {
    const before = version === 'v3' ? ledger.of(items[0]!['teeId']).at(-1) : undefined;
    if (before !== undefined) ledger.hidden.add(before);
  }),
  'shows the bookings of the other channel on a shared tee time': () => {
    const rows = new Map<string, Fields>();
    return {
      list: (items, { channel, version }, ledger) => {
        for (const item of items) rows.set(`${version} ${item['bookingId']}`, { ...item, by: channel });
        const own = new Set(items.map(({ teeId }) => teeId));
        const others = [...ledger.made].filter(
          ([, { ask, item }]) => ask.channel !== channel && own.has(item['teeId']),
        );
        return [...items, ...others.flatMap(([id]) => rows.get(`${version} ${id}`) ?? [])];
      },
    };
  },

  /* Caches */
  'keeps the v4 list in a cache of one of two processes': caching(
    ({ kind, version }) => kind === 'list' && version === 'v4',
  ),
  'keeps the v5 tee sheet in a cache of one of two processes': caching(
    ({ kind, version }) => kind === 'sheet' && version === 'v5',
  ),
  'keeps tee sheets for three and more in a cache': caching(
    ({ kind, url }) => kind === 'sheet' && Number(url.searchParams.get('players')) > 2,
  ),
  'keeps the price list in a cache of one of two processes': caching(({ kind }) => kind === 'prices'),

  /* Two clients */
  'sells a tee time twice to two versions at once': () => {
    const next = counter();
    return { rival: (ask, ok) => (!ok && isBooking(ask) ? invented(ask, `RACE${next()}`) : undefined) };
  },
  'loses the update of one of two bookings at once': () => ({
    rival: (ask, ok, ledger) => void (ok && isBooking(ask) && ask.version === 'v2' && shiftAll(ask.items, ledger, 1)),
  }),
  'leaks the slots of a group that another booking was faster than': () => ({
    rival: ({ items, ...ask }, ok, ledger) =>
      void (!ok && isBooking({ items, ...ask }) && items.length > 1 && shiftAll(items.slice(0, 1), ledger, -1)),
  }),
  'tears a linked group that a single booking was faster than': () => ({
    rival: ({ items, isLinked }, ok, ledger) => void (!ok && isLinked && shiftAll(items.slice(-1), ledger, -1)),
  }),
  'gives two bookings at once the same id': () => {
    let last: string | undefined;
    return {
      rival: (ask, ok, _, body) => {
        if (!ok || !isBooking(ask) || ask.shape !== 'one') return undefined;
        const bookingId = last ?? body.data.bookingId;
        last = last === undefined ? bookingId : undefined;
        return success({ ...body.data, bookingId });
      },
    };
  },
  'gives two groups at once the same number': () => {
    let group: unknown;
    return {
      rival: (ask, ok, _, body) => {
        if (!ok || !isBooking(ask) || ask.shape === 'one') return undefined;
        const name = 'groupId' in body.data ? 'groupId' : 'bulkBookingId';
        group ??= body.data[name];
        return success({ ...body.data, [name]: group });
      },
    };
  },
  'accepts a refresh token twice in a moment': () => {
    let last = 0;
    const next = counter();
    return {
      after: (ask, ok) => {
        if (ask.kind !== 'refresh') return undefined;
        const isSoon = Date.now() - last < 10;
        if (ok) last = Date.now();
        if (ok || !isSoon) return undefined;
        return success({ access_token: `access-${next()}`, refresh_token: `refresh-${next()}`, expires_in: 3600 });
      },
    };
  },
  'issues an old refresh token at every third refresh': () => {
    const next = counter();
    let first: unknown;
    return {
      after: (ask, ok, _, body) => {
        if (!ok || ask.kind !== 'refresh') return undefined;
        first ??= body.data.access_token;
        return next() % 3 === 0 ? success({ ...body.data, access_token: first }) : undefined;
      },
    };
  },
  'cancels twice at once, and gives the slots back twice': () => {
    const under = new Map<string, number>();
    return {
      before: ({ kind, id }) => void (kind === 'cancel' && under.set(id, (under.get(id) ?? 0) + 1)),
      after: ({ kind, id }, _ok, ledger) => {
        if (kind !== 'cancel') return undefined;
        if (under.get(id)! > 1) slotsBack(id, ledger);
        return void under.set(id, under.get(id)! - 1);
      },
    };
  },
};

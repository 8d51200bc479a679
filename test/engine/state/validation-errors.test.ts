import { beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, type State, ValidationError } from '../../../src/engine/library.js';
import { open, NOW } from '../../support/client.js';
import { accessTokenOf } from '../../support/credentials.js';
import { bookingFor, findTeeTime, type Json } from '../../support/scenes.js';

const opened = await open();
let json: string;

beforeAll(async () => {
  const { sandbox, fairway } = opened;
  await accessTokenOf(fairway);
  const one = bookingFor(await findTeeTime(fairway, { players: 4 }), { players: 2 });
  await fairway.post('/api/v5/bookings', [one, one]);
  const headers = { 'teebox-scenario': 'tee-time-withdrawn' };
  await fairway.post('/api/v5/bookings', bookingFor(await findTeeTime(fairway, { days: 12 })), { headers });
  sandbox.scenarios.arm('slow', { delay: 1 });
  json = JSON.stringify(sandbox.snapshot());
});

/** The newest booking and the one before it, of one group and on one tee time. */
const last = ({ store }: Json): Json => store.bookings.at(-1);
const before = ({ store }: Json): Json => store.bookings.at(-2);
const tokens = ({ store }: Json): Json => store.tokens;

type Row = [what: string, change: (state: Json) => unknown, message: RegExp];
const rows: Row[] = [
  ['another format', (state) => (state.format = 'har'), /^`format` must be "teebox-state"; got "har"\.$/],
  ['an earlier version', (state) => (state.version = 0), /^`version` must be 1; got 0\.$/],
  [
    'a later version',
    (state) => (state.version = 2),
    /^The state has version 2, from a newer Teebox; this one reads 1\./,
  ],
  ['another seed', (state) => (state.seed = 2), /^`seed` must be 1, as in this sandbox; got 2\. A state fits only/],
  ['another size', (state) => (state.facilities += 1), /^`facilities` must be \d+, as in this sandbox; got \d+\. A/],
  [
    'a size that none has',
    (state) => (state.facilities = 1e9),
    /^`facilities` must be a whole number from 1 to 100000/,
  ],
  ['a field too many', (state) => (state.note = ''), /^`note` is not known here; the known names are format, version,/],
  ['no store', (state) => delete state.store, /^`store` must be an object with bookings, .*; got nothing\.$/],
  ['a clock that says when', (state) => (state.clock.now = NOW), /^`clock\.now` must be an instant in epoch/],
  ['a clock past all days', (state) => (state.clock.now = 8.64e15), /^`clock\.now` must be an instant.*; got 8640/],
  ['a clock before them', (state) => (state.clock.now = 946_684_799_999), /^`clock\.now` must be .* from 2000 to 2199/],
  ['a clock that walks', (state) => (state.clock.mode = 'walking'), /^`clock\.mode` must be "standing" or "running"/],
  ['a clock to run without', (state) => (state.clock.mode = 'running'), /^`clock\.mode` must be "standing": this/],
  [
    'a dialect without a sense',
    (state) => (state.dialect.answers = { x: 1 }),
    /^`dialect` must be a dialect card\. `x`/,
  ],
  ['a scenario of a card', (state) => (state.dialect.scenarios = ['x']), /^`dialect` must be a dialect card\. .*`x`/],
  [
    'half a request',
    (state) => (state.requests = 0.5),
    /^`requests` must be a whole number of at least 0; got 0\.5\.$/,
  ],
  ['bookings that are none', (state) => (state.store.bookings = {}), /^`store\.bookings` must be a list; got \{\}\.$/],
  ['a booking that is none', (state) => (state.store.bookings[3] = null), /^`store\.bookings\[3\]` must be an object/],
  [
    'no name',
    (state) => delete last(state).contactLastName,
    /^`store\.bookings\[\d+\]\.contactLastName` must be a string; got nothing\.$/,
  ],
  ['a crowd', (state) => (last(state).players = 5), /\.players` must be a whole number from 1 to 4; got 5\.$/],
  [
    'too many',
    (state) => (last(state).players = 3),
    /\.players` must be at most 2, the number of free slots of tee time \d+/,
  ],
  [
    'the same twice',
    (state) => state.store.bookings.push(last(state)),
    /\.sequence` must be more than \d+ .*newest booking\); got/,
  ],
  ['a number to come', (state) => (state.store.sequence -= 1), /\.sequence` must be more than \d+ .* at most \d+/],
  [
    'an id of another',
    (state) => (last(state).bookingId = before(state).bookingId),
    /\.bookingId` must be "TBX-.*number/,
  ],
  ['a code of another', (state) => (last(state).code = before(state).code), /\.code` must be "\w{8}", which follows/],
  [
    'no tee time',
    (state) => (last(state).teeId = 127),
    /\.teeId` must be the id of a tee time of this world; got 127\.$/,
  ],
  [
    'another facility',
    (state) => (last(state).facilityId = 1002),
    /\.facilityId` must be 1001, which follows from tee/,
  ],
  ['another time', (state) => (last(state).time = '2026-06-11T00:00:00'), /\.time` must be "2026-06-11T.*; got "2026/],
  ['another hour', (state) => (last(state).startsAt += 1), /\.startsAt` must be \d+, which follows from tee time/],
  ['another product', (state) => (last(state).productId = 1), /\.productId` must be a product of tee time \d+ \(\d+/],
  [
    'a stray extra',
    (state) => (last(state).extraProducts = [{ mid: 1, quantity: 1 }]),
    /\.extraProducts\[0\]\.mid` must be/,
  ],
  [
    'a player without',
    (state) => (last(state).additionalPlayers = [{}]),
    /\.additionalPlayers\[0\]\.firstName` must be a string; got nothing\.$/,
  ],
  [
    'a stranger',
    (state) => (last(state).channel = 'nobody'),
    /\.channel` must be "fairway", the channel of group 5001; got/,
  ],
  [
    'no such channel',
    (state) => (state.store.bookings[0].channel = 'x'),
    /\.channel` must be one of "fairway", "links", "caddie", "rivals"/,
  ],
  ['no such group', (state) => (last(state).groupId = 5002), /\.groupId` must be null or the id of an existing group/],
  ['cancelled never', (state) => (last(state).status = 'CANCELED'), /\.canceledAt` must be a moment if the booking/],
  ['no such day', (state) => (last(state).createdAt = '2026-02-31T00:00:00.000'), /\.createdAt` must be a moment such/],
  [
    'a bulk of none',
    (state) => (state.store.bulks = [5002]),
    /^`store\.bulks\[0\]` must be the id of an existing group/,
  ],
  [
    'a bulk twice',
    (state) => (state.store.bulks = [5001, 5001]),
    /^`store\.bulks\[1\]` must be unique; 5001 is listed twice/,
  ],
  [
    'tokens of nobody',
    (state) => tokens(state).families.pop(),
    /^`store\.tokens\.families` must be a list with one entry for each/,
  ],
  [
    'a token twice',
    (state) => (tokens(state).accessTokens[0].token = tokens(state).refreshTokens[0].token),
    /^`store\.tokens\.accessTokens\[0\]\.token` must be unique/,
  ],
  [
    'tokens from nowhere',
    (state) => (tokens(state).issued = 1),
    /^`store\.tokens\.issued` must be at least 2, the number of tokens/,
  ],
  ['no such owner', (state) => (tokens(state).revoked = ['x']), /^`store\.tokens\.revoked\[0\]` must be "fairway" or/],
  [
    'no such change',
    (state) => (state.store.amendments[0].change = 'x'),
    /^`store\.amendments\[0\]\.change` must be one of "sold-out", .*; got "x"/,
  ],
  [
    'no change at all',
    (state) => (state.store.amendments[0] = {}),
    /^`store\.amendments\[0\]\.change` must be one of "sold-out", .*; got nothing/,
  ],
  [
    'another course',
    (state) => (state.store.amendments[0].courseId = 10021),
    /\.amendments\[0\]\.teeId` must be the id of a/,
  ],
  [
    'a course as text',
    (state) => (state.store.amendments[0].courseId = '10011'),
    /\.courseId` must be the id of a course; got "10011"/,
  ],
  ['a plan to come', (state) => (state.scenarios.armed = 0), /^`scenarios\.plans\[0\]\.id` must be at most plan-0, as/],
  ['a plan twice', (state) => state.scenarios.plans.push(state.scenarios.plans[0]), /plans\[1\]\.id` must be unique/],
  [
    'no such scenario',
    (state) => (state.scenarios.plans[0].scenario = 'x'),
    /^`scenarios\.plans` must be plans of .*`x`/,
  ],
  [
    'a plan without sense',
    (state) => (state.scenarios.plans[0].options = { times: 0 }),
    /^`scenarios\.plans` must be .*times/,
  ],
];

describe('what is no state is refused, and nothing has changed', () => {
  test.each(rows)('%s', async (_, change, message) => {
    const state = JSON.parse(json) as State;
    change(state);
    const refusal = await opened.sandbox.restore(state).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ValidationError);
    expect((refusal as Error).message).toMatch(message);
    expect(JSON.stringify(opened.sandbox.snapshot())).toBe(json);
  });

  test.each([[null], [[]], ['state'], [7]])('%j', async (value) => {
    await expect(opened.sandbox.restore(value as never)).rejects.toThrow(/^`state` must be an object with format, /);
    await expect(createSandbox({ state: value as never })).rejects.toThrow(ValidationError);
  });

  test('and what was not changed is taken', async () => {
    await opened.sandbox.restore(JSON.parse(json));
    expect(JSON.stringify(opened.sandbox.snapshot())).toBe(json);
  });
});

describe('a start from a state', () => {
  test('has its seed and size, and none of another', async () => {
    const { sandbox } = await open({ seed: 7, facilities: 80 });
    const state = sandbox.snapshot();
    expect((await createSandbox({ state })).snapshot()).toEqual(state);
    await expect(createSandbox({ state, seed: 8 })).rejects.toThrow(/^`seed` must be 8, as in this sandbox; got 7\./);
  });

  test('and options override it', async () => {
    const state = JSON.parse(json) as State;
    const given = { now: '2026-07-01T00:00:00Z', dialect: { name: 'mine' }, scenarios: ['maintenance'] };
    const { clock, dialect, scenarios, store } = (await createSandbox({ state, ...given })).snapshot();
    expect({ now: clock.now, name: dialect.name }).toEqual({ now: Date.UTC(2026, 6, 1), name: 'mine' });
    expect(scenarios.plans.map(({ scenario }) => scenario)).toEqual(['maintenance']);
    expect(store).toEqual(state.store);
  });
});

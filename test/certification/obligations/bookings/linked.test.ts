import { describe, expect, test } from 'vitest';
import { OTHER_REF, REF, roundFor, roundsOf, TWICE_ROUND } from '../../../support/linked.js';
import { type Session, type Story, verdictsOf } from '../../../support/obligations/session.js';

const ids = ['ref', 'shared-ref', 'one-product', 'players', 'holes'].map((name) => `bookings.linked.${name}`);
const all = (verdict: 'pass' | 'not-seen') => Object.fromEntries(ids.map((id) => [id, verdict]));
const broken = (name: string) => ({ ...all('not-seen'), [`bookings.linked.${name}`]: 'fail' as const });

/** Books two rounds with changes. */
const books =
  (...changes: readonly Record<string, unknown>[]) =>
  async (session: Session) => {
    const rounds = await roundsOf(session.client, TWICE_ROUND);
    const body = changes.map((one, index) => roundFor(TWICE_ROUND, rounds[index]!, one));
    await session.send('/api/v5/bookings', body.length === 1 ? body[0] : body);
  };

const stories: readonly Story[] = [
  { what: 'books two linked rounds', tell: books({}, {}), want: all('pass') },
  {
    what: 'sends one reference in two cases',
    tell: books({}, { linkedTeeTimeRef: REF.toUpperCase() }),
    want: all('pass'),
  },
  {
    what: 'books one round without a link',
    tell: async (session) => session.book(await session.read()),
    want: all('not-seen'),
  },
  {
    what: 'forgets the reference',
    tell: books({ linkedTeeTimeRef: undefined }, { linkedTeeTimeRef: undefined }),
    want: broken('ref'),
    message: 'lacks a valid `linkedTeeTimeRef`',
  },
  {
    what: 'makes up a reference',
    tell: books({ linkedTeeTimeRef: 'round-1' }, { linkedTeeTimeRef: 'round-1' }),
    want: broken('ref'),
    message: 'that is no UUID',
  },
  {
    what: 'gives each round a reference of its own',
    tell: books({}, { linkedTeeTimeRef: OTHER_REF }),
    want: broken('shared-ref'),
  },
  {
    what: 'mixes products',
    tell: books({}, { productId: 101_034 }),
    want: { ...broken('one-product'), 'bookings.current-tee-sheet': 'fail', 'bookings.players-available': 'pass' },
    message: 'has the products 101033, 101034 in one linked group',
  },
  { what: 'mixes players', tell: books({}, { players: 1 }), want: broken('players'), message: 'has the players 2, 1' },
  { what: 'books one round of two', tell: books({}), want: broken('holes'), message: 'has fewer holes' },
  {
    what: 'books one tee time for two rounds',
    tell: async (session) => {
      const [round] = await roundsOf(session.client, TWICE_ROUND);
      const one = roundFor(TWICE_ROUND, round!, { players: 1 });
      await session.send('/api/v5/bookings', [one, one]);
    },
    want: broken('holes'),
    message: 'has the same tee time two times',
  },
];

describe('linked rounds: a client that', () => {
  test.each(stories)('$what', async (story) => {
    const { got, messages } = await verdictsOf(story);
    expect(got).toEqual(story.want);
    expect(messages).toContain(story.message ?? '');
  });
});

import { beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, ValidationError, type State } from '../../../src/engine/library.js';
import { applyChanges } from '../../../src/engine/state/apply-changes.js';
import { NOW } from '../../support/client.js';

let state: State;
beforeAll(async () => {
  state = (await createSandbox({ now: NOW })).snapshot();
});

const AT = '2026-06-01T08:00:00.000';
const plan = { id: 'plan-1', scenario: 'slow', options: {}, armedAt: 0, matched: 0, struck: 0 };

describe('a change that does not fit is refused by its position and its field', () => {
  const table: readonly (readonly [change: unknown, says: string | RegExp])[] = [
    [null, '`changes[1]` must be '],
    [{ kind: 'paint' }, '`changes[1].kind` must be one of "booked", '],
    [{ kind: 'requests' }, '`changes[1].requests` must be '],
    [{ kind: 'requests', requests: 7, more: 1 }, '`changes[1].more` is not known here'],
    [{ kind: 'canceled', sequence: 999_999, canceledAt: AT }, '`changes[1].sequence` must be the number of a booking'],
    [{ kind: 'canceled', sequence: 1, canceledAt: 'now' }, '`changes[1].canceledAt` must be a moment'],
    [{ kind: 'paid', sequence: 0, paymentConfirmedAt: AT }, '`changes[1].sequence` must be the number of a booking'],
    [{ kind: 'booked', bookings: [] }, '`changes[1].bookings` must be a list of at least 1'],
    [{ kind: 'booked', bookings: [{}] }, '`changes[1].bookings[0].sequence` must be '],
    [{ kind: 'refreshed', channel: 'nobody', issued: 2, expiresAt: 0 }, '`changes[1].channel` must be '],
    [{ kind: 'refreshed', channel: 'links', issued: 7, expiresAt: 0 }, '`changes[1].issued` must be 2'],
    [
      { kind: 'expired', token: 's3cret', expiresAt: 0 },
      /^`changes\[1\]\.token` must be an access token of the state\.$/,
    ],
    [{ kind: 'revoked', channel: 'nobody' }, '`changes[1].channel` must be '],
    [{ kind: 'amended', kept: 3, amendments: [] }, '`changes[1].kept` must be at most 0'],
    [{ kind: 'plans', armed: 1, removed: ['plan-9'], added: [] }, '`changes[1].removed[0]` must be the id of a plan'],
    [
      { kind: 'plans', armed: 1, removed: [], added: [plan, plan] },
      '`changes[1].added[1].id` must be an id that no plan',
    ],
    [
      { kind: 'counts', drawn: 0, plans: [{ id: 'plan-9', matched: 1, struck: 0 }] },
      '`changes[1].plans[0].id` must be',
    ],
    [{ kind: 'counts', drawn: 0, plans: [], chaos: { seen: 1, struck: 0 } }, '`changes[1].chaos` must be absent'],
    [{ kind: 'clock', clock: { mode: 'standing', now: 7, ahead: 0 } }, '`changes[1].clock.now` must be an instant'],
    [{ kind: 'dialect', dialect: { answers: { 'no.such': 1 } } }, '`no.such` is not a question'],
    [{ kind: 'state', state: { format: 'teebox-state' } }, '`version` must be '],
  ];
  test.each(table)('%j', (change, says) => {
    let thrown: unknown;
    try {
      applyChanges(state, [{ kind: 'requests', requests: 5 }, change]);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ValidationError);
    expect((thrown as ValidationError).input).toBe('state');
    if (typeof says === 'string') expect((thrown as ValidationError).message).toContain(says);
    else expect((thrown as ValidationError).message).toMatch(says);
  });

  test('a booking that is cancelled or paid already', () => {
    const { sequence } = state.store.bookings.find(({ status }) => status === 'BOOKED')!;
    const canceled = { kind: 'canceled', sequence, canceledAt: AT };
    const paid = { kind: 'paid', sequence, paymentConfirmedAt: AT };
    expect(() => applyChanges(state, [canceled, canceled])).toThrow('that is not cancelled');
    expect(() => applyChanges(state, [paid, canceled, paid])).toThrow(
      '`changes[2].sequence` must be the number of a booking that is not paid',
    );
  });

  test('a value that is not a state', () => {
    expect(() => applyChanges({}, [])).toThrow('`format` must be "teebox-state"');
  });

  test('and neither the state nor the changes are altered', () => {
    const before = JSON.stringify(state);
    const { sequence } = state.store.bookings[0]!;
    const changes = [
      { kind: 'paid', sequence, paymentConfirmedAt: AT },
      { kind: 'plans', armed: 1, removed: [], added: [plan] },
      { kind: 'counts', drawn: 1, plans: [{ id: 'plan-1', matched: 1, struck: 1 }] },
    ];
    const texts = JSON.stringify(changes);
    expect(applyChanges(state, changes).store.bookings[0]).toMatchObject({ paymentConfirmedAt: AT });
    expect([JSON.stringify(state), JSON.stringify(changes)]).toEqual([before, texts]);
  });
});

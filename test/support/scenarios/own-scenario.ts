/** A scenario as a user writes one: a network that breaks where a booking is confirmed. */
export function ownScenario(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 'lost-confirmation',
    title: 'The confirmation is lost',
    means: 'The line breaks as the facility confirms the booking.',
    source: { section: 'Errors', item: 'row booking creation' },
    operations: ['createBooking', 'createBulkBooking'],
    checkpoint: 'confirm',
    effect: { kind: 'network', fault: 'connection-reset' },
    after: { 'after-commit': 'It is booked.', 'before-commit': 'Nothing is booked.' },
    ...changes,
  };
}

/** Changes that make it one that cannot be taken, and what is to be said of it. */
export const wrongOnes: readonly (readonly [what: string, changes: Record<string, unknown>, says: RegExp])[] = [
  ['no id', { id: undefined }, /`id` must be lower-case words joined by hyphens, .*; got nothing\./],
  ['an id in capitals', { id: 'LOST' }, /`id` must be lower-case words joined by hyphens, .*; got "LOST"\./],
  [
    'a stray member',
    { wieght: 1 },
    /`wieght` is not known here; the known names are .*, after\. Did you mean `weight`\?/,
  ],
  ['no operation', { operations: [] }, /`operations` must be a list of at least 1; got \[\]\./],
  [
    'an unknown operation',
    { operations: ['createBookings'] },
    /no operation createBookings \(did you mean createBooking\?\); the operations are .*createBooking, /,
  ],
  [
    'an unknown checkpoint',
    { checkpoint: 'later' },
    /`checkpoint` must be one of "credentials", "arrival", .*; got "later"\./,
  ],
  ['an operation without the checkpoint', { operations: ['listBookings'] }, /listBookings has no checkpoint confirm/],
  ['an unknown effect', { effect: { kind: 'nothing' } }, /`effect/],
  [
    'an unknown change',
    { checkpoint: 'hold', effect: { kind: 'change', change: 'facility_disconected' } },
    /`effect\.change` must be one of "sold-out", .*; got "facility_disconected"\. Did you mean `facility-disconnected`\?/,
  ],
  [
    'an unknown kind',
    { effect: { kind: 'Refuse', code: 'x', rule: 'x' } },
    /`effect\.kind` must be one of "refusal", "change", "network", "callback"; got "Refuse"\. Did you mean `refusal`\?/,
  ],
  [
    'an unknown fault',
    { effect: { kind: 'network', fault: 'conection-reset' } },
    /`effect\.fault` must be one of "slow", .*Did you mean `connection-reset`\?/,
  ],
  ['no after-state', { after: {} }, /`after`/],
  [
    'an unknown phase',
    { after: { later: 'x' } },
    /`after\.later` is not known here; the known names are before-commit, after-commit\./,
  ],
  [
    'an unknown rule',
    { effect: { kind: 'refusal', code: 'booking-failed', rule: 'errors.create.booking-fail' } },
    /no rule errors\.create\.booking-fail \(did you mean errors\.create\.booking-failed\?\)/,
  ],
  [
    'an unknown refusal',
    { effect: { kind: 'refusal', code: 'refused', rule: 'errors.create.booking-failed' } },
    /no refusal refused; the refusals are .*booking-failed/,
  ],
  [
    'a change at the wrong checkpoint',
    { effect: { kind: 'change', change: 'sold-out' }, after: { 'before-commit': 'x' } },
    /acts at hold, not at confirm/,
  ],
  [
    'a change after the commit',
    { checkpoint: 'hold', effect: { kind: 'change', change: 'sold-out' } },
    /has no phase after-commit/,
  ],
  [
    'a callback of a booking',
    { effect: { kind: 'callback', fault: 'late' }, after: { 'after-commit': 'x' } },
    /acts at callback, not at confirm/,
  ],
  [
    'a broken answer before there is one',
    { effect: { kind: 'network', fault: 'truncated-body' } },
    /has no phase before-commit/,
  ],
  ['a wait in the midst of a booking', { effect: { kind: 'network', fault: 'slow' } }, /has no phase before-commit/],
  ['a delay that is none', { effect: { kind: 'network', fault: 'timeout', delay: -5 } }, /`effect/],
];

import { fixturesJson } from '../../../src/contract/generated/built/fixtures.js';
import { createWorlds } from '../../../src/engine/library.js';
import { createSandboxAt } from '../../../src/engine/sandbox.js';
import { NOW, ORIGIN, readReply, type Reply } from '../client.js';
import { basic } from '../credentials.js';
import { examinedClient } from './examined-client.js';
import { bookingFor, queryText, type TeeTime, teeTimesPath } from '../scenes.js';
import { atOnce, NOWHERE, searchQuery } from '../views.js';

/** A call of an operation: path, with its query, and body. */
export type Call = [operation: string, path: string, status: number, body?: unknown];

const elsewhere = { origin: 'http://elsewhere.example' };

/** A state of the usual world in which nobody has done anything. */
const emptyState = {
  format: 'teebox-state',
  version: 1,
  seed: 1,
  facilities: (JSON.parse(fixturesJson.facilities) as unknown[]).length,
  clock: { mode: 'standing', now: Date.parse(NOW), ahead: 0 },
  dialect: { answers: {} },
  store: {
    bookings: [],
    sequence: 0,
    groups: 0,
    bulks: [],
    tokens: {
      issued: 0,
      families: ['fairway', 'links', 'caddie'].map((channel) => ({ channel, current: null })),
      refreshTokens: [],
      accessTokens: [],
      revoked: [],
    },
    amendments: [],
  },
  scenarios: { armed: 0, drawn: 0, plans: [] },
  requests: 0,
} as const;

const ownWorld = {
  facilities: [
    {
      id: 1042,
      name: 'Golf de Vallon',
      country: 'France',
      courses: [{ id: 7, name: 'Lac', products: [{ id: 265, name: 'Green fee', price: 85 }] }],
    },
  ],
};

/** Calls that succeed in the world of `prepared`, at least one of each operation. */
export const good: readonly Call[] = [
  ['getHealth', 'health', 200],
  ['getVersion', 'version', 200],
  ['listChannels', 'channels', 200],
  ['reset', 'reset', 200],
  ['getState', 'state', 200],
  ['replaceState', 'state', 200, emptyState],
  ['getCapsule', 'capsule', 200],
  ['listSnapshots', 'snapshots', 200],
  ['deleteSnapshots', 'snapshots', 200],
  ['getSnapshot', 'snapshots/before', 200],
  ['takeSnapshot', 'snapshots/after', 200],
  ['deleteSnapshot', 'snapshots/before', 200],
  ['restoreSnapshot', 'snapshots/before/restore', 200],
  ['getClock', 'clock', 200],
  ['moveClock', 'clock', 200, { advance: 'P60D' }],
  ['moveClock', 'clock', 200, { set: '2026-07-01T08:00:00+02:00' }],
  ['listNextEvents', 'clock/next?limit=10', 200],
  ['listBookings', 'bookings?channel=fairway&status=BOOKED&facilityId=1001&limit=10&offset=0', 200],
  ['listBookings', 'bookings', 200],
  ['listBookings', 'bookings?groupId=5001&payment=none&text=lovelace&order=newest', 200],
  ['getBooking', 'bookings/BOOKING', 200],
  ['getBookingHistory', 'bookings/BOOKING/history', 200],
  ['cancelBooking', 'bookings/BOOKING/cancel?force=true', 200],
  ['listFacilities', 'facilities?goodFor=linked-tee-times&channel=fairway&text=golf&from=1001&limit=10', 200],
  ['listSheetChanges', 'tee-sheets/1001/changes', 200],
  ['changeSheet', 'tee-sheets/1001/changes', 200, { change: 'sold-out', courseId: 10011, date: '2026-06-11' }],
  ['changeSheet', 'tee-sheets/1001/changes', 200, { change: 'facility-disconnected', channel: 'fairway' }],
  ['undoSheetChanges', 'tee-sheets/1001/changes?change=sold-out&courseId=10011&date=2026-06-11', 200],
  ['getTeeSheets', 'tee-sheets/1001?date=2026-06-11', 200],
  ['listCallbacks', 'callbacks', 200],
  ['getCallback', 'callbacks/callback-1', 200],
  ['redeliverCallback', 'callbacks/callback-1/redeliver', 200],
  ['listInboxes', 'inbox', 200],
  ['emptyInboxes', 'inbox', 200],
  ['getInbox', 'inbox/tests', 200],
  ['getInbox', 'inbox/nobody', 200],
  ['postToInbox', 'inbox/tests', 204, { any: 'thing' }],
  ['postToInbox', 'inbox/tests?status=302&delay=1ms', 302, {}],
  ['postToInbox', 'inbox/tests?status=404', 404, {}],
  ['putToInbox', 'inbox/tests?status=503', 503, {}],
  ['patchToInbox', 'inbox/tests?status=200', 200, {}],
  ['emptyInbox', 'inbox/tests', 200],
  ['getDialect', 'dialect', 200],
  [
    'replaceDialect',
    'dialect',
    200,
    { name: 'staging', answers: { 'payment.method': { v5: 'post' }, 'error.validation': 422 } },
  ],
  ['replaceDialect', 'dialect', 200, { answers: { 'token.versions': ['v4', 'v5'] } }],
  ['getWorld', 'world', 200],
  ['replaceWorld', 'world?reset=true', 200, ownWorld],
  ['listQuestions', 'questions', 200],
  ['listScenarios', 'scenarios', 200],
  ['getChaos', 'chaos', 200],
  ['startChaos', 'chaos', 200, { rate: '5%', seed: 7, only: ['slow', 'server-error'] }],
  ['startChaos', 'chaos', 200, { rate: 0.05 }],
  ['stopChaos', 'chaos', 200],
  ['listPlans', 'plans', 200],
  [
    'armPlan',
    'plans',
    200,
    { scenario: 'rate-limited', operation: 'listCountries', times: 'always', probability: 0.5 },
  ],
  ['armPlan', 'plans', 200, { scenario: 'slow', delay: { lognormal: { median: 400, sigma: 0.5 } }, ttl: 0.5 }],
  ['disarmPlans', 'plans', 200],
  ['getPlan', 'plans/plan-1', 200],
  ['disarmPlan', 'plans/plan-1', 200],
  ['listRequests', 'requests', 200],
  ['listRequests', 'requests?format=har', 200],
  ['clearRequests', 'requests', 200],
  ['verifyRequests', 'requests/verify', 200, { operation: 'createBooking', match: { contactLastName: 'Lovelace' } }],
  ['getRequest', 'requests/req-2', 200],
  ['getRequest', 'requests/req-4', 200],
  ['explainRequest', 'requests/req-1/explain', 200],
  ['explainRequest', 'requests/req-4/explain', 200],
  ['followEvents', 'events?since=req-1', 200],
  ['listWorlds', 'worlds', 200],
  ['deleteWorld', 'worlds/run-7', 200],
  ['getCertification', 'certification', 200],
  ['followCertification', 'certification/events', 200],
];

/** Calls that are refused there, beside those of other sites. */
export const bad: readonly Call[] = [
  ['replaceState', 'state', 400, { ...emptyState, seed: 2 }],
  ['getSnapshot', 'snapshots/nothing', 404],
  ['takeSnapshot', 'snapshots/a%20b', 400],
  ['deleteSnapshot', 'snapshots/nothing', 404],
  ['restoreSnapshot', 'snapshots/nothing/restore', 404],
  ['moveClock', 'clock', 400, { advance: 'P1M' }],
  ['moveClock', 'clock', 409, { resume: true }],
  ['moveClock', 'clock', 413, 'x'.repeat(1_048_577)],
  ['listNextEvents', 'clock/next?limit=0', 400],
  ['listBookings', 'bookings?limit=0', 400],
  ['getBooking', 'bookings/TBX-0', 404],
  ['getBookingHistory', 'bookings/TBX-0/history', 404],
  ['cancelBooking', 'bookings/TBX-0/cancel', 404],
  ['cancelBooking', 'bookings/BOOKING/cancel?force=1', 400],
  ['cancelBooking', 'bookings/CANCELED/cancel', 409],
  ['listFacilities', 'facilities?goodFor=nothing', 400],
  ['listSheetChanges', 'tee-sheets/7/changes', 404],
  ['changeSheet', 'tee-sheets/1001/changes', 400, { change: 'rain' }],
  ['changeSheet', 'tee-sheets/7/changes', 404, { change: 'facility-disconnected', channel: 'fairway' }],
  ['changeSheet', 'tee-sheets/1001/changes', 409, { change: 'facility-disconnected', channel: 'caddie' }],
  ['changeSheet', 'tee-sheets/1001/changes', 413, 'x'.repeat(1_048_577)],
  ['undoSheetChanges', 'tee-sheets/1001/changes?change=rain', 400],
  ['undoSheetChanges', 'tee-sheets/7/changes', 404],
  ['getTeeSheets', 'tee-sheets/7', 404],
  ['getTeeSheets', 'tee-sheets/1001?date=2026-02-31', 400],
  ['getCallback', 'callbacks/callback-9', 404],
  ['redeliverCallback', 'callbacks/callback-9/redeliver', 404],
  ['getInbox', 'inbox/-', 400],
  ['postToInbox', 'inbox/tests?status=100', 400, {}],
  ['putToInbox', 'inbox/-', 400, {}],
  ['patchToInbox', 'inbox/tests?delay=1', 400, {}],
  ['emptyInbox', 'inbox/-', 400],
  ['replaceDialect', 'dialect', 400, { answers: { nothing: 1 } }],
  ['replaceDialect', 'dialect', 413, 'x'.repeat(1_048_577)],
  ['replaceWorld', 'world', 400, { facilities: [] }],
  ['replaceWorld', 'world', 409, ownWorld],
  ['replaceWorld', 'world', 413, `"${'x'.repeat(16_777_216)}"`],
  ['startChaos', 'chaos', 400, { rate: '105%' }],
  ['startChaos', 'chaos', 413, 'x'.repeat(1_048_577)],
  ['armPlan', 'plans', 400, { scenario: 'nothing' }],
  ['armPlan', 'plans', 413, 'x'.repeat(1_048_577)],
  ['getPlan', 'plans/plan-9', 404],
  ['disarmPlan', 'plans/plan-9', 404],
  ['listRequests', 'requests?status=ok', 400],
  ['verifyRequests', 'requests/verify', 400, { channel: 'nobody' }],
  ['verifyRequests', 'requests/verify', 409, { operation: 'createBooking', match: { contactLastName: 'Byron' } }],
  ['verifyRequests', 'requests/verify', 413, 'x'.repeat(1_048_577)],
  ['getRequest', 'requests/req-99', 404],
  ['explainRequest', 'requests/req-99/explain', 404],
  ['followEvents', 'events?since=yesterday', 400],
  ['deleteWorld', 'worlds/nobody', 404],
];

/** A call as another site makes it. */
export function fromElsewhere(method: string): Record<string, string> {
  return method === 'GET' ? { 'sec-fetch-site': 'cross-site' } : elsewhere;
}

export type Ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;

/**
 * A server's worlds in which all has happened that can be seen: a booking, a search with its result, a refusal, a
 * scenario that struck, a message in the inbox, a plan that is armed, a world beside the main one. A client has taken
 * an exam of another server.
 */
export async function prepared(): Promise<Ask> {
  const worlds = await createWorlds({ now: NOW, ...atOnce });
  const certifying = async () => createSandboxAt({ certification: await examinedClient() }, { now: NOW });
  const send = async (method: string, path: string, body: unknown, headers: Record<string, string>) => {
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const init = { method, headers, ...(text === undefined ? {} : { body: text }) };
    const { fetch } = path.startsWith('/__admin/certification') ? await certifying() : worlds;
    return fetch(new Request(ORIGIN + path, init));
  };
  const fairway = { ...basic('fairway', 'not-a-secret-fairway'), 'content-type': 'application/json' };
  const call = async (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
    readReply(await send(method, path, body, { ...fairway, ...more }));
  const [teeTime] = (await call('GET', teeTimesPath('v4'))).body.data.teeTimeV3 as TeeTime[];
  const booked = await call('POST', '/api/v5/bookings', bookingFor(teeTime!));
  await call('GET', `/api/v5/teetimes?${queryText(searchQuery({ callbackUrl: NOWHERE }))}`);
  await call('GET', '/api/v3/countries', undefined, { 'teebox-scenario': 'rate-limited' });
  await call('GET', '/w/run-7/api/v3/countries?connected=maybe');
  await worlds.main.callbacks.settled();
  await call('POST', '/__admin/inbox/tests', { any: 'thing' });
  await call('POST', '/__admin/plans', { scenario: 'payment-pi-failed', times: 2, match: { players: 1 } });
  await call('PUT', '/__admin/snapshots/before');
  const canceled = (await call('GET', '/__admin/bookings?status=CANCELED&limit=1')).body.bookings[0].bookingId;
  return async (method, path, body, headers = {}) => {
    const place = path
      .replace('BOOKING', encodeURIComponent(booked.body.data.bookingId))
      .replace('CANCELED/', `${encodeURIComponent(canceled)}/`);
    const answer = await send(method, `/__admin/${place}`, body, headers);
    if (answer.headers.get('content-type') !== 'text/event-stream') return readReply(answer);
    // A stream that has no end: its first event is as good as any.
    const first = await answer.body!.getReader().read();
    const { status } = answer;
    return {
      status,
      headers: answer.headers,
      text: new TextDecoder().decode(first.value),
      body: undefined,
      rule: undefined,
    };
  };
}

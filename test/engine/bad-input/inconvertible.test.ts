import { expect, test } from 'vitest';
import { type CreatingVersion, forms } from '../dialect/forms.js';
import { bookingPlaces, REFRESH } from '../../support/bad-input/bodies.js';
import { atEveryPlace, inconvertible } from '../../support/bad-input/inconvertible.js';
import { adminOf } from '../../support/admin.js';
import { good, prepared } from '../../support/contract/admin-calls.js';
import { operationNamed } from '../../support/contract/admin-document.js';
import { initialTokenOf } from '../../support/credentials.js';
import { everyOperation, pathOf } from '../../support/operations.js';
import { findTeeTime } from '../../support/scenes.js';
import { openAtOnce } from '../../support/views.js';

/** Plans that look at bodies and parameters before the service does, none of which a request matches. */
const plans = [
  { scenario: 'booking-failed', facilityId: 1002, times: 'always' },
  { scenario: 'server-error', match: { facilityId: inconvertible, players: 9 }, times: 'always' },
  { scenario: 'slow', match: { contactLastName: [inconvertible], refresh_token: 'x' }, times: 'always' },
  { scenario: 'refresh-token-used', channel: 'links', match: { refresh_token: 'x' }, times: 'always' },
  { scenario: 'payment-pi-failed', item: 1, match: { comments: inconvertible }, times: 'always' },
];

test.each([REFRESH, ...bookingPlaces])('$name: no value that does not convert fails the service', async (place) => {
  const { fairway, sandbox } = await openAtOnce();
  const admin = adminOf(sandbox);
  for (const plan of plans) expect((await admin('POST', 'plans', plan)).status).toBe(200);
  const version = place.name.slice(0, 2) as CreatingVersion;
  const additionalPlayers = [{ firstName: 'Max', lastName: 'Mustermann', email: 'max@partner.example' }];
  const extraProduct = [{ productId: 1, quantity: 1 }];
  const more = { comments: 'none', netRate: 80, additionalPlayers, extraProduct, callbackUrl: 'http://127.0.0.1/x' };
  const item =
    place === REFRESH
      ? { refresh_token: initialTokenOf(fairway) }
      : forms[version](await findTeeTime(fairway, { players: 1 }), more);
  for (const [where, body] of atEveryPlace(place.wrap(item))) {
    for (const headers of [{}, { 'teebox-scenario': 'slow; delay=0ms' }]) {
      const { status } = await fairway.post(place.path, body, { headers });
      expect({ where, headers, ok: status < 500 }).toEqual({ where, headers, ok: true });
    }
  }
  const { requests } = (await admin('GET', 'requests')).body;
  const id = requests.at(-1).id;
  expect((await admin('GET', `requests/${id}/explain`)).status).toBe(200);
  expect((await admin('GET', 'requests?format=har')).status).toBe(200);
});

test('no parameter that is written as an object fails the service', async () => {
  const { fairway } = await openAtOnce();
  for (const operation of everyOperation) {
    const [path, query = ''] = pathOf(operation).split('?');
    for (const { name } of operation.parameters) {
      for (const value of [`${name}[toString]=1`, `${name}=${encodeURIComponent(JSON.stringify(inconvertible))}`]) {
        const rest = query.split('&').filter((pair) => !pair.startsWith(`${name}=`));
        const asked = `${path}?${[...rest, value].filter(Boolean).join('&')}`;
        const { status } = await fairway.send(operation.method, asked);
        expect({ asked, ok: status < 500 }).toEqual({ asked, ok: true });
      }
    }
  }
});

test('no admin call with a value that does not convert fails', async () => {
  for (const [operation, path, , body] of good) {
    if (body === undefined) continue;
    const ask = await prepared();
    for (const [where, changed] of atEveryPlace(body)) {
      const { status, text } = await ask(operationNamed(operation).method, path, changed);
      // An inbox responds with the status that its query asks for, such as 503.
      expect({ operation, where, text: status === 500 ? text : '' }).toEqual({ operation, where, text: '' });
    }
    expect((await ask('GET', 'health')).status).toBe(200);
  }
});

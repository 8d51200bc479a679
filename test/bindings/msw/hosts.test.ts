import { beforeAll, describe, expect, test } from 'vitest';
import { createHandlers } from '../../../src/bindings/msw.js';
import { open } from '../../support/client.js';
import { corpus } from '../../support/msw/corpus.js';
import { intercept } from '../../support/msw/intercept.js';
import { play, type Seen, type Sent } from '../../support/msw/play.js';
import { answersOfServer, asOnServer } from '../../support/msw/server.js';

/** What each host answers to the same requests, each on a sandbox of its own. */
let requests: readonly Sent[];
let onServer: readonly Seen[];
beforeAll(async () => {
  requests = await corpus();
  onServer = await answersOfServer(requests);
});

test('the requests are many, and of every kind', () => {
  const statuses = new Set(onServer.map(({ status }) => status));
  expect([...statuses].sort((a, b) => a - b)).toEqual([0, 200, 204, 400, 401, 404, 405, 413, 415, 429, 500, 503]);
  expect(requests.length).toBeGreaterThan(1000);
  expect(onServer.filter(({ text }) => text?.includes('"bookingId":"TBX-')).length).toBeGreaterThan(5);
});

describe('the server answers as', () => {
  const bases: readonly [string, string, boolean][] = [
    ['msw', 'https://api.partner.example', false],
    ['msw with a handler per operation', 'https://api.partner.example', true],
    ['msw below a path', 'https://api.partner.example/golf', false],
  ];
  test.each(bases)('%s', async (_, baseUrl, perOperation) => {
    const { sandbox } = await open(asOnServer);
    intercept(createHandlers(sandbox, { baseUrl, perOperation }), 'bypass');
    expect(await play(requests, baseUrl, fetch)).toEqual(onServer);
    await sandbox.reset();
  });

  test('the sandbox itself', async () => {
    const { sandbox } = await open(asOnServer);
    const answer = (request: Request) => sandbox.fetch(request);
    expect(await play(requests, 'http://sandbox.test', answer)).toEqual(onServer);
    await sandbox.reset();
  });
});

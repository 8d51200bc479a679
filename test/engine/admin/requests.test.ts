import { describe, expect, test } from 'vitest';
import { adminOf, expectedProblem } from '../../support/admin.js';
import { open, ORIGIN } from '../../support/client.js';
import { bare, initialTokenOf, refreshWith } from '../../support/credentials.js';
import { harFaults } from '../../support/network/har.js';
import { bookingFor, findTeeTime } from '../../support/scenes.js';

/** Five requests of two channels: a list, a refusal, a refresh, one without credentials, a path that is none. */
async function visited() {
  const clients = await open();
  const { fairway, links, sandbox } = clients;
  await fairway.get('/api/v3/countries');
  await links.get('/api/v3/countries?connected=maybe');
  await refreshWith(fairway, initialTokenOf(fairway));
  await bare(fairway, 'GET', '/api/v4/bookings');
  await fairway.get('/api/v9/nothing?access_token=s3cret');
  return { ...clients, admin: adminOf(sandbox) };
}

const idsOf = (requests: readonly { readonly id: string }[]) => requests.map(({ id }) => id);

describe('the list', () => {
  test.each([
    ['', 5, ['req-1', 'req-2', 'req-3', 'req-4', 'req-5']],
    ['operation=listCountries', 2, ['req-1', 'req-2']],
    ['operation=v3.listCountries&channel=links', 1, ['req-2']],
    ['channel=fairway', 1, ['req-1']],
    ['status=400', 1, ['req-2']],
    ['rule=countries.query.connected', 1, ['req-2']],
    ['method=post', 1, ['req-3']],
    ['path=/api/v3/countries', 2, ['req-1', 'req-2']],
    ['path=/api/v3/countries?connected=maybe', 1, ['req-2']],
    ['path=/api/v3/*', 2, ['req-1', 'req-2']],
    ['state=answered', 5, ['req-1', 'req-2', 'req-3', 'req-4', 'req-5']],
    ['state=open', 0, []],
    ['scenario=rate-limited', 0, []],
    ['since=req-3', 2, ['req-4', 'req-5']],
    ['since=req-99', 0, []],
    ['limit=2', 5, ['req-4', 'req-5']],
    ['since=req-1&limit=1&status=401', 1, ['req-4']],
  ])('?%s', async (query, count, want) => {
    const { admin } = await visited();
    const { body } = await admin('GET', `requests?${query}`);
    expect({ count: body.count, ids: idsOf(body.requests) }).toEqual({ count, ids: want });
  });

  test('an entry of it, and the whole of it', async () => {
    const { admin } = await visited();
    const summary = {
      id: 'req-2',
      state: 'answered',
      at: '2026-06-01T08:00:00.000Z',
      method: 'GET',
      path: '/api/v3/countries?connected=maybe',
      operation: 'v3.listCountries',
      channel: 'links',
      status: 400,
      rule: 'countries.query.connected',
      basis: 'open',
      detail: expect.stringContaining('must be true or false'),
    };
    expect((await admin('GET', 'requests?status=400')).body.requests).toEqual([summary]);
    expect((await admin('GET', 'requests/req-2')).body).toEqual({
      ...summary,
      request: { headers: { authorization: 'Basic ***' } },
      response: {
        headers: expect.objectContaining({ 'teebox-request-id': 'req-2' }),
        body: expect.objectContaining({ success: false }),
        length: expect.any(Number),
      },
    });
    expect((await admin('GET', 'requests/req-5')).body).toMatchObject({
      path: '/api/v9/nothing?access_token=***',
      status: 404,
    });
  });

  test('the bodies of a token refresh are masked', async () => {
    const { admin, fairway } = await visited();
    const { body } = await admin('GET', 'requests/req-3');
    expect(body.request.body).toEqual({ refresh_token: '***' });
    expect(body.response.body.data).toMatchObject({ access_token: '***', refresh_token: '***', expires_in: 3600 });
    for (const [sent, want] of [
      ['"s3cret"', '***'],
      [
        { s3cret: 1, refresh_token: ['s3cret'] },
        { '***': '***', refresh_token: '***' },
      ],
    ] as const) {
      await bare(fairway, 'POST', '/api/v5/token/refreshToken', { body: sent });
      const last = (await admin('GET', 'requests')).body.requests.at(-1).id;
      const view = await admin('GET', `requests/${last}`);
      expect(view.body.request.body).toEqual(want);
      expect(view.text).not.toContain('s3cret');
    }
  });

  test('a long answer shows its length alone', async () => {
    const { admin, fairway } = await visited();
    const { text } = await fairway.get(
      '/api/v5/price/insideDateRange?facilityIds=1001,1002&fromDate=11-06-2026&toDate=30-06-2026',
    );
    expect(text.length).toBeGreaterThan(65_536);
    const { response } = (await admin('GET', 'requests/req-6')).body;
    expect(response).toEqual({ headers: expect.any(Object), length: expect.any(Number), dropped: 'too-long' });
    expect(response.length).toBeGreaterThan(65_536);
  });

  test('remembers a thousand, and forgets when told', async () => {
    const { admin, fairway, sandbox } = await visited();
    for (let sent = 0; sent < 1000; sent += 1) await fairway.get('/api/v9/nothing');
    const { body } = await admin('GET', 'requests');
    expect([body.count, body.requests[0].id, body.requests.at(-1).id]).toEqual([1000, 'req-6', 'req-1005']);
    expect((await admin('GET', 'requests/req-5')).status).toBe(404);
    expect((await admin('DELETE', 'requests')).body).toEqual({ status: 'cleared' });
    expect((await admin('GET', 'requests')).body).toEqual({ count: 0, requests: [] });
    expect(sandbox.journal.entries).toEqual([]);
    await fairway.get('/api/v9/nothing');
    expect(sandbox.journal.find('req-1006')).toMatchObject({ status: 404, state: 'answered' });
  });
});

test('a world of its own shows paths below its base URL', async () => {
  const { createWorlds } = await import('../../../src/engine/library.js');
  const worlds = await createWorlds();
  await worlds.fetch(new Request(`${ORIGIN}/w/a/__admin/plans`, { method: 'DELETE' }));
  await worlds.fetch(new Request(`${ORIGIN}/w/a/api/v9/nothing`));
  const list = async (base: string) => (await worlds.fetch(new Request(`${ORIGIN}${base}/__admin/requests`))).json();
  expect(await list('/w/a')).toMatchObject({ count: 1, requests: [{ path: '/api/v9/nothing' }] });
  expect(await list('')).toEqual({ count: 0, requests: [] });
});

describe('HAR', () => {
  test('is one by the rules of the format, and a file', async () => {
    const { admin, fairway, sandbox } = await visited();
    await fairway.post('/api/v5/bookings', bookingFor(await findTeeTime(fairway)));
    const lost = fairway.get('/api/v3/countries', { headers: { 'teebox-scenario': 'connection-reset' } });
    await expect(lost).rejects.toThrow(TypeError);
    const { headers, body } = await admin('GET', 'requests?format=har');
    expect(harFaults(body)).toEqual([]);
    expect(body.log.entries).toHaveLength(8);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('content-disposition')).toBe('attachment; filename="teebox.har"');
    expect(body).toEqual(JSON.parse(JSON.stringify(sandbox.journal.har())));
    expect(body.log.entries[4].request).toMatchObject({
      url: `${ORIGIN}/api/v9/nothing?access_token=***`,
      queryString: [{ name: 'access_token', value: '***' }],
    });
    expect(JSON.parse(body.log.entries[6].request.postData.text)).toMatchObject({ contactLastName: 'Lovelace' });
    expect(body.log.entries[6]).toMatchObject({ _id: 'req-7', _operation: 'v5.createBooking', _channel: 'fairway' });
    expect(body.log.entries[7]).toMatchObject({
      _state: 'cut',
      _scenario: 'connection-reset',
      response: { status: 0 },
    });
  });

  test('follows the filters', async () => {
    const { admin } = await visited();
    const { body } = await admin('GET', 'requests?format=har&status=400&limit=1');
    expect(body.log.entries.map(({ _id }: { _id: string }) => _id)).toEqual(['req-2']);
  });

  test.each([
    [{}, ['log is missing']],
    [{ log: { version: '1.2', creator: { name: 'a' }, entries: [] } }, ['log.creator.version is missing']],
    [
      { log: { version: '1.2', creator: { name: 'a', version: '1' }, entries: [{ time: '1' }] } },
      expect.arrayContaining(['log.entries[0].time is not a number from 0 on', 'log.entries[0].request is missing']),
    ],
  ])('and the rules find what is wrong with %j', (har, want) => {
    expect(harFaults(har)).toEqual(want);
  });
});

test.each([
  ['GET', 'requests?who=me', 400, '`who` is not a parameter'],
  ['GET', 'requests?status=4xx', 400, '`status` must be a whole number'],
  ['GET', 'requests?limit=1001', 400, '`limit` must be a whole number from 1 to 1000'],
  ['GET', 'requests?since=17', 400, '`since` must be the id of a request, such as req-17'],
  ['GET', 'requests?format=xml', 400, '`format` must be "json" or "har"; got "xml"'],
  ['GET', 'requests?operation=book', 400, 'There is no operation `book`. What fits: `refreshToken`'],
  ['GET', 'requests?channel=nobody', 400, 'There is no channel `nobody`. What fits: `fairway`'],
  ['GET', 'requests?rule=none', 400, 'There is no rule `none`'],
  ['GET', 'requests?scenario=none', 400, 'There is no scenario `none`'],
  ['GET', 'requests?state=done', 400, '`state` must be "open" or "answered" or "cut"; got "done"'],
  [
    'GET',
    'requests?path=api',
    400,
    '`path` must be a path that begins with a slash; got "api". What fits: `/api/v5/bookings`',
  ],
  ['GET', 'requests?method=', 400, '`method` must be the name of a method'],
  ['GET', 'requests/req-0', 404, 'no request `req-0` in the journal'],
  ['GET', 'requests/req-0/explain', 404, 'no request `req-0` in the journal'],
])('%s %s is refused', async (method, path, status, detail) => {
  const { sandbox } = await open();
  const { fits = ['something'], ...problem } = (await adminOf(sandbox)(method, path)).body;
  expect(problem).toEqual(expectedProblem(status, expect.stringContaining(detail)));
  expect(fits).not.toEqual([]);
});

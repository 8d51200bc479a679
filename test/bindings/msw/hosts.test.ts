import { beforeAll, describe, expect, test } from 'vitest';
import { createHandlers } from '../../../src/bindings/msw.js';
import { open } from '../../support/client.js';
import { corpus } from '../../support/msw/corpus.js';
import { intercept } from '../../support/msw/intercept.js';
import { play } from '../../support/msw/play.js';
import { answersOfServer, asOnServer } from '../../support/msw/server.js';

/** What each host answers to the same requests, each on a sandbox of its own. */
const hear = async (shareOfBad: number) => {
  const requests = await corpus(shareOfBad);
  return { requests, onServer: await answersOfServer(requests) };
};

/** A base URL, and whether each operation has a handler of its own. */
type Base = readonly [name: string, baseUrl: string, perOperation: boolean];
const plain: Base = ['msw', 'https://api.partner.example', false];
const others: readonly Base[] = [
  ['msw with a handler per operation', 'https://api.partner.example', true],
  ['msw below a path', 'https://api.partner.example/golf', false],
];

describe.each([
  { share: 'a sixteenth of the bad', shareOfBad: 16, least: 200, bases: [plain], tags: [] },
  { share: 'all of the bad', shareOfBad: 1, least: 1000, bases: [plain, ...others], tags: ['slow'] },
])('of good requests and $share ones', ({ shareOfBad, least, bases, tags }) => {
  let heard: Awaited<ReturnType<typeof hear>>;
  beforeAll(async () => {
    heard = await hear(shareOfBad);
  });

  test('there are many, and of every kind', { tags }, () => {
    const { requests, onServer } = heard;
    const statuses = new Set(onServer.map(({ status }) => status));
    expect([...statuses].sort((a, b) => a - b)).toEqual([0, 200, 204, 400, 401, 404, 405, 413, 415, 429, 500, 503]);
    expect(requests.length).toBeGreaterThan(least);
    expect(onServer.filter(({ text }) => text?.includes('"bookingId":"TBX-')).length).toBeGreaterThan(5);
  });

  test.each(bases)('the server answers as %s', { tags }, async (_, baseUrl, perOperation) => {
    const { requests, onServer } = heard;
    const { sandbox } = await open(asOnServer);
    intercept(createHandlers(sandbox, { baseUrl, perOperation }), 'bypass');
    expect(await play(requests, baseUrl, fetch)).toEqual(onServer);
    await sandbox.reset();
  });

  test('the server answers as the sandbox itself', { tags }, async () => {
    const { requests, onServer } = heard;
    const { sandbox } = await open(asOnServer);
    const answer = (request: Request) => sandbox.fetch(request);
    expect(await play(requests, 'http://sandbox.test', answer)).toEqual(onServer);
    await sandbox.reset();
  });
});

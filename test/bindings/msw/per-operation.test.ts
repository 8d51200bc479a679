import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as msw from 'msw';
import { open, ORIGIN } from '../../support/client.js';
import { openIntercepted } from '../../support/msw/intercept.js';
import { bodyOf, everyOperation, pathOf } from '../../support/operations.js';

const names = (handlers: readonly unknown[]) => handlers.map((one) => (one as msw.RequestHandler).info.header);

test('by default one handler answers all', async () => {
  const { server } = await openIntercepted();
  expect(names(server.listHandlers())).toEqual([`ALL ${ORIGIN}/api/*`]);
});

describe('one handler per operation', () => {
  test('is named by method and path, and a last one takes the rest', async () => {
    const { server } = await openIntercepted({}, { perOperation: true });
    const listed = names(server.listHandlers());
    expect(listed).toHaveLength(everyOperation.length + 1);
    expect(listed).toContain(`GET ${ORIGIN}/api/v5/teetimes/:facilityId/:courseId`);
    expect(listed).toContain(`POST ${ORIGIN}/api/:version/token/refreshToken`);
    expect(listed.at(-1)).toBe(`ALL ${ORIGIN}/api/*`);
  });

  test.each(everyOperation.map((one) => [one.id, one] as const))('%s is answered by its own', async (_, operation) => {
    const { server, partner } = await openIntercepted({}, { perOperation: true });
    const { fairway } = await open();
    const { method } = operation;
    const want = await fairway.send(method, pathOf(operation), bodyOf(operation));
    const used: string[] = [];
    for (const handler of server.listHandlers() as readonly msw.RequestHandler[]) {
      if (await handler.test({ request: new Request(ORIGIN + pathOf(operation), { method }) })) {
        used.push(handler.info.header);
      }
    }
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    expect(used).toEqual([`${method} ${ORIGIN}${path}`, `ALL ${ORIGIN}/api/*`]);
    const { status, text } = await partner.send(method, pathOf(operation), bodyOf(operation));
    expect({ status, text }).toEqual({ status: want.status, text: want.text });
  });

  const rest: readonly [method: string, path: string, status: number][] = [
    ['GET', '/__admin/health', 200],
    ['GET', '/images/1001/logo.svg', 200],
    ['GET', '/api/v9/facilities', 404],
    ['DELETE', '/api/v3/countries', 405],
    ['HEAD', '/api/v3/countries', 200],
    ['OPTIONS', '/api/v3/countries', 204],
    ['GET', '/api/v3/countries/', 200],
    ['GET', '/api', 404],
  ];
  test.each(rest)('%s %s is answered as with one handler', async (method, path, status) => {
    const { partner } = await openIntercepted({}, { perOperation: true });
    const { fairway } = await open();
    const { text } = await fairway.send(method, path);
    expect(await partner.send(method, path)).toMatchObject({ status, text });
  });
});

test('the msw under test is the one that was asked for', () => {
  const folder = process.env['TEEBOX_MSW'] ?? 'node_modules/msw';
  const { version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  // The third one has its GraphQL in an entry of its own.
  expect('graphql' in msw).toBe(version.startsWith('2.'));
});

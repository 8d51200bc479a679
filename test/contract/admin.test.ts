import { resolve } from 'node:path';
import { createConfig, lint, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { specFolder } from '../../spec/generate/folders.js';
import { refuseAdmin } from '../../src/engine/admin/admin-guard.js';
import { type Ask, bad, type Call, fromElsewhere, good, prepared } from '../support/contract/admin-calls.js';
import {
  adminOperations,
  answerFaults,
  document,
  operationNamed,
  takesBody,
} from '../support/contract/admin-document.js';
import { ORIGIN, readReply } from '../support/client.js';
import { runCli } from '../support/network/process.js';

const ids = adminOperations.map(({ id }) => id);
/** Whoever asks whether the sandbox is alive cannot ask wrongly. */
const neverRefused = ['getHealth'];

/** What reads alone, or is refused, finds the same world each time. */
const unchanged = prepared();

describe('the document', () => {
  test('has exactly the routes that there are', async () => {
    const ask = await unchanged;
    const { detail } = (await ask('GET', 'nothing')).body;
    const routes = [...detail.matchAll(/`([A-Z]+ [^`]+)`/g)].map((match) => match[1]);
    expect(adminOperations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(routes.sort());
  });

  type Problems = Awaited<ReturnType<typeof lint>>;
  const recommended = () => createConfig({ extends: ['recommended'] });
  const expectHealthAlone = (problems: Problems): void => {
    const health = 'operation-4xx-response #/paths/~1__admin~1health/get/responses';
    expect(problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`)).toEqual([health]);
  };
  test('passes the recommended lint in one piece', async () => {
    const piece = { source: JSON.stringify(document), absoluteRef: 'admin.json' };
    expectHealthAlone(await lintFromString({ ...piece, config: await recommended() }));
  });
  test('passes the recommended lint as a file', { tags: ['slow'] }, async () => {
    expectHealthAlone(await lint({ ref: resolve(specFolder, 'admin.yaml'), config: await recommended() }));
  });

  test('is what the command prints', async () => {
    const { code, stdout } = await runCli(['spec', '--admin']);
    expect({ code, document: JSON.parse(stdout) }).toEqual({ code: 0, document });
  });

  test('closes every object of an answer, so that nothing undocumented passes', () => {
    const open: string[] = [];
    const visit = (value: unknown, place: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const { type, additionalProperties, maxProperties } = value as Record<string, unknown>;
      if (type === 'object' && additionalProperties === undefined && maxProperties !== 0) open.push(place);
      for (const [name, item] of Object.entries(value)) if (name !== 'allOf') visit(item, `${place}/${name}`);
    };
    visit(document.components.schemas, '');
    // Parts of others that `unevaluatedProperties` closes.
    expect(open).toEqual(
      ['TeeTime', 'SheetChanges', 'Callback', 'Plan', 'Request', 'RequestFilter'].map((name) => `/${name}Fields`),
    );
  });
});

describe('answers are as it says', () => {
  const ask = async ([id, path, status, body]: Call, headers?: Record<string, string>) => {
    const { method } = operationNamed(id);
    const to = await (method === 'GET' || status >= 400 || headers ? unchanged : prepared());
    return to(method, path, body, headers);
  };

  test.each(good)('%s: %s is a %i', async (id, path, status, body?: unknown) => {
    const reply = await ask([id, path, status, body]);
    expect(reply.status).toBe(status);
    expect(answerFaults(operationNamed(id), reply)).toEqual([]);
  });

  test.each(bad)('%s: %s is a %i', async (id, path, status, body?: unknown) => {
    const reply = await ask([id, path, status, body]);
    const type = reply.headers.get('content-type');
    expect({ status: reply.status, type }).toEqual({ status, type: 'application/problem+json' });
    expect(answerFaults(operationNamed(id), reply)).toEqual([]);
  });

  test('each operation is called well, and each wrongly in every way that it describes', () => {
    expect([...new Set(good.map(([id]) => id))]).toEqual(ids);
    const described = adminOperations.flatMap(({ id, responses }) =>
      Object.keys(responses).flatMap((status) => (/^4(0[04]|13)$/.test(status) ? [`${id} ${status}`] : [])),
    );
    // What has no world but the main one beside it, or takes 256 MiB, is asked elsewhere, and so is whoever certifies nobody.
    const unseen = ['listWorlds 404', 'replaceState 413', 'getCertification 404', 'followCertification 404'];
    // It needs two worlds, one after the other.
    const elsewhere = [...unseen, 'restoreSnapshot 400'];
    const called = new Set([...bad.map(([id, , status]) => `${id} ${status}`), ...elsewhere]);
    expect(described.filter((one) => !called.has(one))).toEqual([]);
  });

  test.each(ids)('%s, asked by another site and without a token', async (id) => {
    const operation = operationNamed(id);
    const call = good.find(([one]) => one === id)!;
    const foreign = await ask(call, fromElsewhere(operation.method));
    const request = new Request(`${ORIGIN}/__admin/${call[1]}`, { method: operation.method });
    const refused = refuseAdmin(request, { off: false, local: false, hasToken: () => false });
    expect(foreign.status).toBe(neverRefused.includes(id) ? 200 : 403);
    expect(answerFaults(operation, foreign)).toEqual([]);
    expect(refused?.status).toBe(operation.security.length === 0 ? undefined : 401);
    if (refused) expect(answerFaults(operation, await readReply(refused))).toEqual([]);
  });

  test('and one that is not would be found', async () => {
    const operation = operationNamed('getClock');
    const reply = await ask(['getClock', 'clock', 200]);
    const faults = (change: object) => answerFaults(operation, { ...reply, ...change }).length;
    expect(faults({})).toBe(0);
    expect(faults({ body: { ...reply.body, more: 1 } })).toBe(1);
    expect(faults({ body: { ...reply.body, now: 'soon' } })).toBe(1);
    expect(faults({ body: { mode: 'running' } })).toBe(1);
    expect(faults({ status: 409 })).toBe(1);
    expect(faults({ headers: new Headers({ 'content-type': 'text/plain' }) })).toBe(1);
  });
});

describe('what is sent is as it says', () => {
  const named = adminOperations.flatMap(({ id, parameters }) =>
    parameters.filter((one) => one.in === 'query').map(({ name, example }) => [id, name, example] as const),
  );
  test.each(named)('%s takes %s', async (id, name, example) => {
    const [, call, , body] = good.find(([one]) => one === id)!;
    const path = call.split('?')[0];
    const reply = await (await prepared())(operationNamed(id).method, `${path}?${name}=${example}`, body);
    expect({ example, status: reply.status }).not.toEqual({ example, status: 400 });
  });

  const bodies: [id: string, path: string, body: unknown, fits: boolean][] = [
    ...good.flatMap(([id, path, , body]): [string, string, unknown, boolean][] =>
      body !== undefined && !id.endsWith('ToInbox') ? [[id, path, body, true]] : [],
    ),
    ['moveClock', 'clock', {}, false],
    ['moveClock', 'clock', { freeze: true }, true],
    ['moveClock', 'clock', { freeze: false }, false],
    ['moveClock', 'clock', { freeze: true, advance: 'PT1H' }, false],
    ['moveClock', 'clock', { set: '2026-06-01' }, false],
    ['moveClock', 'clock', { stop: true }, false],
    ['replaceDialect', 'dialect', {}, true],
    ['replaceDialect', 'dialect', [], false],
    ['replaceDialect', 'dialect', { name: 1 }, false],
    ['replaceDialect', 'dialect', { answers: { 'error.validation': null } }, false],
    ['armPlan', 'plans', { times: 2 }, false],
    ['armPlan', 'plans', { scenario: 'rate-limited', times: 0 }, false],
    ['armPlan', 'plans', { scenario: 'rate-limited', times: 'ever' }, false],
    ['armPlan', 'plans', { scenario: 'rate-limited', after: 2, channel: 'links', facilityId: 1001 }, true],
    ['armPlan', 'plans', { scenario: 'rate-limited', steps: ['fail', 'ok'] }, true],
    ['armPlan', 'plans', { scenario: 'rate-limited', steps: [] }, false],
    ['armPlan', 'plans', { scenario: 'rate-limited', steps: ['maybe'] }, false],
    ['armPlan', 'plans', { scenario: 'rate-limited', probability: 1.1 }, false],
    ['armPlan', 'plans', { scenario: 'rate-limited', ttl: 0 }, false],
    ['armPlan', 'plans', { scenario: 'rate-limited', delay: { uniform: [100, 900] } }, true],
    ['armPlan', 'plans', { scenario: 'rate-limited', delay: { normal: 1 } }, false],
    ['armPlan', 'plans', { scenario: 'rate-limited', delay: -1 }, false],
    ['armPlan', 'plans', { scenario: 'booking-failed', phase: 'after-commit', item: 2 }, true],
    ['armPlan', 'plans', { scenario: 'booking-failed', phase: 'whenever' }, false],
    ['armPlan', 'plans', { scenario: 'rate-limited', more: 1 }, false],
    ['verifyRequests', 'requests/verify', {}, true],
    ['verifyRequests', 'requests/verify', { status: 600 }, false],
    ['verifyRequests', 'requests/verify', { path: 'api' }, false],
    ['verifyRequests', 'requests/verify', { state: 'over' }, false],
    ['verifyRequests', 'requests/verify', { match: [] }, false],
    ['verifyRequests', 'requests/verify', { timeoutMs: 60_001 }, false],
    ['verifyRequests', 'requests/verify', { atMost: -1 }, false],
    ['verifyRequests', 'requests/verify', { more: 1 }, false],
  ];
  test.each(bodies)('%s %s %j fits: %s', async (id, path, body, fits) => {
    const { method } = operationNamed(id);
    const ask: Ask = await (fits ? prepared() : unchanged);
    const { status } = await ask(method, path, body);
    expect({ taken: status === 200, described: takesBody(operationNamed(id), body) }).toEqual({
      taken: fits,
      described: fits,
    });
  });
});

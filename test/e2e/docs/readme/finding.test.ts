import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { runCli, startCli } from '../../../support/network/process.js';

const page = readFileSync(new URL('../../../../docs/conformance.md', import.meta.url), 'utf8');

/** A deployment that sends the ids of listed facilities as text. */
function withTextIds(target: string): Server {
  return createServer(async (request, response) => {
    const answer = await fetch(target + request.url, {
      headers: { authorization: request.headers.authorization ?? '' },
    });
    const text = await answer.text();
    const isList = request.url!.startsWith('/api/v3/facilities?');
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(isList ? text.replaceAll(/"id":(\d+)/g, '"id":"$1"') : text);
  });
}

test('the finding that the page about check shows is what a run prints', async () => {
  const [, shown] = /## Read a finding[^]*?```\n([^]*?)\n```/.exec(page)!;
  const sandbox = await startCli();
  const deployment = withTextIds(sandbox.baseUrl).listen(0, '127.0.0.1');
  await once(deployment, 'listening');
  const url = `http://127.0.0.1:${(deployment.address() as AddressInfo).port}`;
  const basic = 'fairway:not-a-secret-fairway';
  const { code, stdout } = await runCli(['check', url, '--basic', basic, '--only', 'facilities.item.*']);
  deployment.close();
  await sandbox.stop();
  expect(code).toBe(1);
  expect(stdout.replaceAll(url, 'https://staging.example.com')).toContain(shown);
});

import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { basicCredentials } from '../../src/engine/model/basic-credentials.js';
import { startCli } from '../support/network/process.js';

const authorization = basicCredentials({ username: 'fairway', password: 'not-a-secret-fairway' });

/** Tells at its end how large the young generation of the process is. */
const PROBE = `
  import { getHeapSpaceStatistics } from 'node:v8';
  const young = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
  process.on('exit', () => console.error('young generation: ' + young()));`;

/** Sends the same GET so many times, all at once, and waits for the answers. */
function ask(baseUrl: string, path: string, times: number): Promise<void> {
  const { hostname, port, host } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let missing = times;
    socket.setEncoding('latin1').on('error', reject);
    socket.on('data', (text: string) => {
      missing -= text.split(']').length - 1; // Each answer has one.
      if (missing === 0) socket.end(resolve);
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n\r\n`.repeat(times));
  });
}

test('the young generation of a server grows under load, to half of what it would be in Node 20', async () => {
  const preload = `--import=data:text/javascript,${encodeURIComponent(PROBE)}`;
  const server = await startCli(['--log-level', 'silent'], { NODE_OPTIONS: preload });
  for (let turn = 0; turn < 40; turn += 1) await ask(server.baseUrl, '/api/v3/countries', 500);
  expect(await server.stop()).toBe(0);
  const bytes = Number(/young generation: (\d+)/.exec(server.output().stderr)?.[1]);
  expect(bytes).toBeGreaterThan(8_000_000);
  expect(bytes).toBeLessThan(17_000_000);
});

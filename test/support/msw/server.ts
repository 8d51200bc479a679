import { readFileSync } from 'node:fs';
import type { SandboxOptions } from '../../../src/engine/library.js';
import { NOW } from '../client.js';
import { startCli } from '../network/process.js';
import { play, type Seen, type Sent } from './play.js';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

/** What a sandbox is made with to be that of `answersOfServer`. */
export const asOnServer: SandboxOptions = { now: NOW, version };

/** What the command answers over a socket; a process of its own, whose `Request` and `Response` are its own too. */
export async function answersOfServer(requests: readonly Sent[]): Promise<readonly Seen[]> {
  const server = await startCli(['--now', NOW]);
  const seen = await play(requests, server.baseUrl, fetch);
  await server.stop();
  return seen;
}

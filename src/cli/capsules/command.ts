import { Misfit, visibleJson } from '../../common/index.js';
import { type Playback, playCapsule, type Sandbox } from '../../engine/index.js';
import { oneOf, toggle, type Values } from '../args.js';
import { defineCommand } from '../commands/command.js';
import { listenOrExplain } from '../commands/serve.js';
import { serveFlags } from '../commands/serve-flags.js';
import { untilSignal } from '../commands/until-signal.js';
import { readJson } from '../json-file.js';
import { DEFAULT_PORT } from '../server.js';
import type { Terminal } from '../terminal.js';
import { UsageError } from '../usage-error.js';
import { version } from '../version.js';
import { linesOf } from './playback-text.js';
import { writeTest } from './write-test.js';

const EXIT_DIFFERENT = 1;

const flags = {
  serve: toggle('after the last request, serve the sandbox in that state, with a frozen clock'),
  port: { ...serveFlags.port, help: 'port for --serve; 0 picks a free one (4653)' },
  'to-test': {
    value: 'RUNNER',
    help: 'write a test beside the file that plays it, in place of playing it: vitest',
    ...oneOf('vitest'),
  },
  json: toggle('print JSON'),
} as const;

export const command = defineCommand({
  usage: 'replay CAPSULE.json [FLAGS]',
  what: `Sends the requests of a capsule (GET __admin/capsule) to a fresh sandbox, and compares the responses byte for byte.
For recorded traffic of a deployment (HAR), see \`teebox check --replay\`.
Exit codes: 0 the same responses, 1 a difference, 2 usage error or no capsule.`,
  flags,
  run: ({ values, positionals, terminal }) => replayCommand(positionals, values, terminal),
});

async function replayCommand(
  [file, ...rest]: readonly string[],
  values: Values<typeof flags>,
  terminal: Terminal,
): Promise<number> {
  if (file === undefined || rest.length > 0) {
    throw new UsageError(`replay needs one capsule: teebox replay CAPSULE.json; got ${rest.length + (file ? 1 : 0)}.`);
  }
  const capsule = await readJson(file, 'capsule', (value) => value);
  if (values['to-test']) {
    if (values.serve)
      throw new UsageError('--to-test plays nothing, so --serve has nothing to serve. Use one of them.');
    return writeTest(file, await played(file, capsule), terminal);
  }
  const playback = await played(file, capsule);
  const { sandbox, ...result } = playback;
  if (values.json) terminal.out(visibleJson({ file, ...result }, 2));
  else for (const line of linesOf(file, playback, version)) terminal.out(line);
  if (values.serve) await serveState(sandbox, values.port ?? DEFAULT_PORT, terminal);
  return playback.same ? 0 : EXIT_DIFFERENT;
}

/** @throws {UsageError} with what is wrong with the capsule. */
async function played(file: string, capsule: unknown): Promise<Playback<Sandbox>> {
  try {
    return await playCapsule(capsule, { version, clock: () => Date.now() });
  } catch (error) {
    if (error instanceof Misfit || error instanceof RangeError) {
      throw new UsageError(`Failed to load capsule ${file}: ${error.message}`);
    }
    throw error;
  }
}

async function serveState(sandbox: Sandbox, port: number, { out, err }: Terminal): Promise<never> {
  const server = await listenOrExplain(sandbox, { port, hostname: '127.0.0.1' });
  const ended = untilSignal(server, undefined, err);
  out(`${server.url}: the sandbox after the last request; its clock is frozen at ${nowOf(sandbox)}.`);
  out(`${server.url}/__admin: the console`);
  return ended;
}

function nowOf({ clock }: Sandbox): string {
  return new Date(clock.now()).toISOString();
}

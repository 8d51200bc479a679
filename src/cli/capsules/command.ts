import { capsuleTest, consoleLine, counted, ValidationError, visibleJson } from '../../common/index.js';
import { type Playback, playCapsule, type Sandbox } from '../../engine/index.js';
import { oneOf, toggle, type Values } from '../args.js';
import { defineCommand } from '../commands/command.js';
import { listenOrExplain } from '../commands/serve.js';
import { serveFlags } from '../commands/serve-flags.js';
import { untilSignal } from '../commands/until-signal.js';
import { readJson } from '../json-file.js';
import { commandWord } from '../process/windows-command.js';
import { DEFAULT_PORT } from '../server.js';
import type { Terminal } from '../terminal.js';
import { UsageError } from '../usage-error.js';
import { version } from '../version.js';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const BY = '`teebox replay --to-test vitest`';

/**
 * Writes a test for Vitest next to a capsule.
 *
 * @throws {UsageError} if the file exists, or cannot be written.
 */
export async function writeTest(file: string, { requests }: Playback, { out }: Terminal): Promise<number> {
  const name = basename(file);
  const title = `${name}: ${counted(requests, 'request')} with the same responses, byte for byte`;
  const test = join(dirname(file), `${name.replace(/\.json$/, '')}.test.ts`);
  try {
    // Never over a file that somebody may have changed.
    await writeFile(test, capsuleTest(title, BY, { file: name }), { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `Failed to write ${test}: ${code === 'EEXIST' ? 'the file exists; remove it first' : `it cannot be written (${code})`}.`,
    );
  }
  out(consoleLine(`${test} plays ${name}. Run it with: npx vitest run ${commandWord(test)}`));
  return 0;
}

/** Characters of a value that are shown. */
const MOST_SHOWN = 200;
/** Steps that are shown in full. */
const MOST_STEPS = 20;

/** A replay for people. */
export function linesOf(file: string, playback: Playback, version: string): string[] {
  const { same, requests, differences, teebox } = playback;
  const sent = `Replayed ${counted(requests, 'request')} of ${file}`;
  if (same) return [consoleLine(`${sent}: the same responses, byte for byte.`)];
  const count = differences.length === 1 ? '1 step differs' : `${differences.length} steps differ`;
  const lines = [`${sent}: ${count}.`];
  for (const { step, what, differences: places } of differences.slice(0, MOST_STEPS)) {
    lines.push('', `Step ${step}, ${what}`);
    for (const { where, expected, got } of places) {
      lines.push(`  ${where}`, `    expected ${shown(expected)}`, `    got      ${shown(got)}`);
    }
  }
  if (differences.length > MOST_STEPS) lines.push('', `... and ${differences.length - MOST_STEPS} more; see --json.`);
  if (teebox !== version) {
    lines.push('', `Teebox ${teebox} wrote it, and this is ${version}: it may answer otherwise on purpose.`);
  }
  return lines.map(consoleLine);
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}... (${text.length} characters)` : text;
}

const EXIT_DIFFERENT = 1;

const flags = {
  serve: toggle('after the last request, serve the sandbox in that state, with a frozen clock'),
  port: { ...serveFlags.port, help: 'port for --serve; 0 picks a free one (4653)' },
  'to-test': {
    value: 'RUNNER',
    help: 'instead of replaying the capsule, write a test next to it that does: vitest',
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
  examples: [
    ['teebox replay failure.json', 'compare the responses'],
    ['teebox replay failure.json --serve', 'look at the state that it ends in'],
  ],
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
  if (playback.requests === 0 && !values.serve) {
    throw new UsageError(`${file} contains no request, so there is no response to compare. Look at its state: --serve`);
  }
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
    if (error instanceof ValidationError || error instanceof RangeError) {
      throw new UsageError(`Failed to load capsule ${file}: ${error.message}`);
    }
    throw error;
  }
}

async function serveState(sandbox: Sandbox, port: number, { out, err }: Terminal): Promise<never> {
  const server = await listenOrExplain(sandbox, { port, hostname: '127.0.0.1' });
  const ended = untilSignal(server, undefined, err);
  const now = new Date(sandbox.clock.now()).toISOString();
  out(`${server.url}: the sandbox after the last request; its clock is frozen at ${now}.`);
  out(`${server.url}/__admin: the console`);
  return ended;
}

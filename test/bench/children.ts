import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type BuildOptions, buildSync } from 'esbuild';
import { CLI } from '../support/network/process.js';
import type { BareRoute } from './bare-hono.js';

/** A server in a process of its own. */
export interface Server {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Inside `node_modules`, so that what is not bundled finds its packages. */
const directory = new URL('../../node_modules/.cache/teebox-bench/', import.meta.url).pathname;
/** The instant at which servers under test stand, so that a run compares to the next. */
export const NOW = '2026-06-01T08:00:00Z';
const TICKS_A_SECOND = 100;

/** Starts node with these arguments and waits for its first line on stdout. */
export async function startNode(args: readonly string[]): Promise<{ child: ChildProcess; line: string }> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(TEEBOX_|PORT$|NODE_OPTIONS$)/.test(name));
  const child = spawn(process.execPath, [...args], {
    env: Object.fromEntries(inherited),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close').then(() => true);
  let text = '';
  while (!text.includes('\n')) {
    const ended = await Promise.race([closed, once(child.stdout!, 'data').then(([chunk]) => void (text += chunk))]);
    if (ended) throw new Error(`\`node ${args.join(' ')}\` ended before it was ready.`);
  }
  return { child, line: text.slice(0, text.indexOf('\n')) };
}

async function startServer(args: readonly string[]): Promise<Server> {
  const { child, line } = await startNode(args);
  const stop = async (): Promise<void> => {
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  };
  return { url: JSON.parse(line).baseUrl, pid: child.pid!, stop };
}

export const teeboxArguments = [CLI, 'serve', '--port', '0', '--json', '--log-level', 'silent', '--now', NOW];

/** The command as users have it, without its log: what would read the log shares the machine. */
export function startTeebox(flags: readonly string[] = []): Promise<Server> {
  return startServer([...teeboxArguments, ...flags]);
}

let bundled: Record<'bundled' | 'installed', string> | undefined;

/** The programs of bare Hono: bundled and minified as Teebox is, and with its packages as they are installed. */
export function barePrograms(): Record<'bundled' | 'installed', string> {
  if (bundled) return bundled;
  mkdirSync(directory, { recursive: true });
  const entry = new URL('./bare-hono.ts', import.meta.url).pathname;
  const common: BuildOptions = { entryPoints: [entry], bundle: true, format: 'esm', platform: 'node', minify: true };
  bundled = { bundled: `${directory}bare.mjs`, installed: `${directory}bare-installed.mjs` };
  buildSync({ ...common, outfile: bundled.bundled });
  buildSync({ ...common, outfile: bundled.installed, packages: 'external' });
  return bundled;
}

let written = 0;

/** Forgets what was written for bare Hono. */
export function cleanUp(): void {
  rmSync(directory, { recursive: true, force: true });
}

/** Writes what a bare Hono serves to a file that its program reads. */
export function bareRoutes(routes: readonly BareRoute[]): string {
  mkdirSync(directory, { recursive: true });
  const file = `${directory}routes-${process.pid}-${(written += 1)}.json`;
  writeFileSync(file, JSON.stringify(routes));
  return file;
}

/** The least that Hono can do: answers each route with kept bytes. */
export function startBare(routes: readonly BareRoute[]): Promise<Server> {
  return startServer([barePrograms().bundled, bareRoutes(routes)]);
}

/** Processor time of a process so far in seconds; undefined where the system does not tell. */
export function processorTime(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
  } catch {
    return undefined;
  }
}

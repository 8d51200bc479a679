import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { type BuildOptions, buildSync } from 'esbuild';
import { CLI } from '../support/network/process.js';
import type { BareRoute } from './bare-hono.js';
import { onServerCore } from './processor.js';

/** A server in a process of its own. */
export interface Server {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Inside `node_modules`, so that what is not bundled finds its packages; of this process alone. */
export const directory = new URL(`../../node_modules/.cache/teebox-bench/${process.pid}/`, import.meta.url).pathname;
/** The instant at which servers under test stand, so that a run compares to the next. */
export const NOW = '2026-06-01T08:00:00Z';
/** How to start a process. */
export interface Start {
  /** The descriptor that takes its stderr. Default: that of this process. */
  readonly log?: number;
  /** Another node than the one that runs this. */
  readonly node?: string;
  /** Whether it has a core of its own, where the system can do that. */
  readonly pinned?: boolean;
  readonly directory?: string;
}

/** Starts node with these arguments and waits for its first line on stdout. */
export function startNode(args: readonly string[], start: Start = {}): Promise<{ child: ChildProcess; line: string }> {
  return startCommand([start.node ?? process.execPath, ...args], start);
}

/** Starts a command and waits for its first line on stdout. */
async function startCommand(
  command: readonly string[],
  start: Start = {},
): Promise<{ child: ChildProcess; line: string }> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(TEEBOX_|PORT$|NODE_OPTIONS$)/.test(name));
  const [program, ...args] = start.pinned ? onServerCore(command) : command;
  const child = spawn(program!, args, {
    env: Object.fromEntries(inherited),
    stdio: ['ignore', 'pipe', start.log ?? 'inherit'],
    cwd: start.directory,
  });
  const closed = once(child, 'close').then(() => true);
  let text = '';
  while (!text.includes('\n')) {
    const ended = await Promise.race([closed, once(child.stdout!, 'data').then(([chunk]) => void (text += chunk))]);
    if (ended) throw new Error(`\`${command.join(' ')}\` ended before it was ready.`);
  }
  return { child, line: text.slice(0, text.indexOf('\n')) };
}

/** Starts a server that tells its address in its first line; the signal ends it. */
export async function startServer(
  args: readonly string[],
  start: Start = {},
  signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL',
): Promise<Server> {
  const { child, line } = await startNode(args, { pinned: true, ...start });
  return { url: JSON.parse(line).baseUrl, pid: child.pid!, stop: () => end(child, signal) };
}

/** Ends a process and waits until it is gone. */
export async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill(signal);
  await closed;
}

export const serveArguments = ['serve', '--port', '0', '--json', '--now', NOW];
const teeboxArguments = [CLI, ...serveArguments, '--log-level', 'silent'];

/** The command as users have it, without its log. */
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

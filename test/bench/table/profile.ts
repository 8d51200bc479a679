import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { directory } from '../children.js';
import { startLogged } from './start.js';
import { Load } from '../load.js';
import { type TableCase, tableCases } from './cases.js';

const ROUNDS = 40;
const SHOWN = 40;

/** What node writes for `--cpu-prof`, as far as it is read here. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** The command with the names of its functions. */
async function buildReadable(): Promise<string> {
  const outdir = `${directory}readable`;
  await build({
    entryPoints: { cli: 'src/cli/cli.ts' },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: ['msw', 'vitest'],
    alias: { yaml: './node_modules/yaml/browser/index.js' },
    define: { TEEBOX_VERSION: '"0.0.0"' },
    logLevel: 'warning',
  });
  return `${outdir}/cli.js`;
}

/** Writes a processor profile of a Teebox server under each case of the table, and what took most of it. */
export async function writeProfiles(target: string): Promise<void> {
  const cli = await buildReadable();
  mkdirSync(target, { recursive: true });
  for (const one of tableCases) {
    for (const log of ['silent', 'default'] as const) await profile(one, log, cli, resolve(target));
  }
}

async function profile(one: TableCase, log: 'silent' | 'default', cli: string, target: string): Promise<void> {
  const name = `${one.name}-${log}`;
  const file = `${target}/${name}.cpuprofile`;
  const flags = ['--cpu-prof', `--cpu-prof-dir=${target}`, `--cpu-prof-name=${name}.cpuprofile`];
  const server = await startLogged({ log, cli, node: flags });
  try {
    const requests = one.requests * ROUNDS;
    const [next] = await one.prepare([{ server, stateful: true }], requests);
    const load = new Load(server.url);
    await load.run(next!, requests).finally(() => load.close());
  } finally {
    await server.stop();
  }
  const text = summary(JSON.parse(readFileSync(file, 'utf8')) as CpuProfile);
  writeFileSync(`${target}/${name}.txt`, text);
  console.log(`\n${file}\n${text}`);
}

/** The functions that took most time themselves, as shares of the time in which the server was busy. */
function summary({ nodes, samples, timeDeltas }: CpuProfile): string {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const place = url ? ` ${url.split('/').at(-1)}:${lineNumber + 1}` : '';
      return [id, `${functionName || '(anonymous)'}${place}`];
    }),
  );
  const times = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const name = names.get(id)!;
    times.set(name, (times.get(name) ?? 0) + timeDeltas[index]!);
  }
  times.delete('(idle)');
  const whole = [...times.values()].reduce((sum, time) => sum + time, 0);
  const lines = [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, SHOWN)
    .map(([name, time]) => `${((time / whole) * 100).toFixed(1).padStart(5)} %  ${name}`);
  return `${lines.join('\n')}\n`;
}

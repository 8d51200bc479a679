// Makes small mutations of the implementation, one at a time, and prints those that the suite does not see, or with
// `findings` the finding that leads the report of each:
//   npx tsx test/conformance/independent/mutate.ts [how many] [seed] [findings]
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { mutated, type Mutation, mutationsOf } from '../../bench/mutate/mutations.js';
import { hash } from './civil.js';

interface Mutant extends Mutation {
  readonly file: string;
}

const here = new URL('.', import.meta.url).pathname;
const files = 'civil desk directory sheets prices tokens orders bookings searches service'.split(' ');

function mutantsOf(file: string): readonly Mutant[] {
  return mutationsOf(codeOf(file)).map((mutation) => ({ ...mutation, file }));
}

const codeOf = (file: string): string => readFileSync(join(here, `${file}.ts`), 'utf8');

/** The service with a mutation, bundled into one file. */
async function bundle(mutant: Mutant, outfile: string): Promise<void> {
  await build({
    entryPoints: [join(here, 'service.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    logLevel: 'silent',
    plugins: [
      {
        name: 'mutation',
        setup: ({ onLoad }) =>
          onLoad({ filter: new RegExp(`/independent/${mutant.file}\\.ts$`) }, () => ({
            contents: mutated(codeOf(mutant.file), mutant),
            loader: 'ts',
          })),
      },
    ],
  });
}

/** Runs the suite in a thread of its own, as a mutation may never end. */
function judge(outfile: string, run: string): Promise<string> {
  return new Promise((resolve) => {
    const worker = new Worker(run, { workerData: outfile, stdout: true, stderr: true });
    const end = (said: string): void => {
      clearTimeout(timer);
      resolve(said);
      void worker.terminate();
    };
    const timer = setTimeout(() => end('killed: it does not end'), 60_000);
    worker.on('message', end);
    worker.on('error', ({ message }) => end(`killed: ${message}`));
  });
}

async function main(): Promise<void> {
  const [, , count = '100', seed = 'a', what = ''] = process.argv;
  const folder = mkdtempSync(join(tmpdir(), 'mutations-'));
  const run = join(folder, 'run.mjs');
  await build({
    entryPoints: [join(here, 'mutate-worker.ts')],
    outfile: run,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
  });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const everyone = files.flatMap(mutantsOf).toSorted((one, other) => order(one, seed) - order(other, seed));
  let killed = 0;
  for (const [index, mutation] of everyone.slice(0, Number(count)).entries()) {
    const outfile = join(folder, `${index}.mjs`);
    await bundle(mutation, outfile);
    const said = await judge(outfile, run);
    if (said.startsWith('killed')) killed += 1;
    if (what === 'findings' || !said.startsWith('killed')) console.log(describe(mutation, said));
  }
  console.log(`${killed} of ${Math.min(Number(count), everyone.length)} seen; ${everyone.length} there are`);
  rmSync(folder, { recursive: true });
}

const order = ({ file, from, text }: Mutant, seed: string): number => hash(seed, file, from, text);

function describe({ file, from, to, text }: Mutant, said: string): string {
  const code = codeOf(file);
  const line = code.slice(0, from).split('\n').length;
  const whole = code.split('\n')[line - 1]!.trim();
  return `${said}  ${file}.ts:${line}  ${code.slice(from, to).split('\n')[0]} -> ${text}\n      ${whole}`;
}

await main();

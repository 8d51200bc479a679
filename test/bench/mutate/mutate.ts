// Changes random lines of the engine and the suite, one at a time, and lists the changes that no test notices:
//   nice -n 19 npm run mutate -- [--count 200] [--seed a] [--in src/engine/callbacks] [--seconds 240]
// `--tests test/engine,test/common` runs only tests with such paths, which is quick and finds more survivors than there are.
// `--copy DIR` keeps the copy and what was recorded there; the same command with `--only IDS` judges these mutants, such as
// those that survived, with more `--seconds`.
// It works in a copy below the temporary folder, so the tree may change meanwhile. A first run of all tests records
// which tests reach which mutations; then each mutation gets the tests that reach it, likely and short ones first.
// These are the tests of `npm test` and the kill matrix, without the other matrices. Tests that start processes run the bundle, which no mutation reaches.
import { fork, type ChildProcess } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { hash } from '../../conformance/independent/civil.js';
import type { Choice, Order, Ran, Said } from './messages.js';
import { mutated, type Mutation, mutationsOf, switchable } from './mutations.js';

/** The folders whose lines are changed. */
const FOLDERS = ['src/engine', 'src/conformance'];
/** Tests of the source text, which say nothing of its behaviour, and of the kill matrix as a whole. */
const BLIND = /^test\/e2e\/house\/|\.json records the outcomes|every rule has a mutant/;
/** A run in which no test ends for so long does not end at all. */
const SILENCE = 150_000;
/** How many tests run before it is looked whether there is time for more. */
const BATCHES = [15, 60, 150];

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: 'a' },
    in: { type: 'string', default: '' },
    seconds: { type: 'string', default: '240' },
    tests: { type: 'string', default: '' },
    copy: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
  },
});

const root = new URL('../../..', import.meta.url).pathname;

/** What a run is about; kept in the copy, so that an interrupted run can go on. */
interface Plan {
  readonly mutants: readonly Mutant[];
  /** The text of each file that has a mutant. */
  readonly codes: Readonly<Record<string, string>>;
  readonly broken: readonly number[];
  /** The tests that pass without a mutation. */
  readonly tests: readonly Ran[];
  readonly reached: readonly Reached[];
}

interface Mutant extends Mutation {
  readonly id: number;
  readonly file: string;
  readonly line: number;
}

/** One mutation of each of some random lines; no two of them overlap. */
function choose(count: number, seed: string): Mutant[] {
  const lines = new Map<string, Omit<Mutant, 'id'>[]>();
  for (const file of FOLDERS.flatMap(sourcesIn).filter((name) => name.startsWith(values.in))) {
    const code = readFileSync(join(root, file), 'utf8');
    for (const mutation of mutationsOf(code)) {
      const line = code.slice(0, mutation.from).split('\n').length;
      const place = `${file}:${line}`;
      lines.set(place, [...(lines.get(place) ?? []), { ...mutation, file, line }]);
    }
  }
  const chosen: Mutant[] = [];
  for (const place of [...lines.keys()].sort((a, b) => hash(seed, a) - hash(seed, b))) {
    if (chosen.length === count) break;
    const all = lines.get(place)!;
    const one = all[hash(seed, place, 'which') % all.length]!;
    const isFree = !chosen.some(({ file, from, to }) => file === one.file && from < one.to && one.from < to);
    if (isFree) chosen.push({ ...one, id: chosen.length + 1 });
  }
  return chosen;
}

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && !name.includes('generated'))
    .map((name) => `${folder}/${name}`)
    .sort();
}

/** The ids of the mutants that do not compile. */
async function uncompilable(mutants: readonly Mutant[], codes: Plan['codes']): Promise<readonly number[]> {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, references: [] }, ts.sys, root);
  const texts = new Map<string, { version: number; text: string }>();
  const textOf = (path: string): string | undefined => texts.get(path)?.text ?? ts.sys.readFile(path);
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({
      ...options,
      composite: false,
      incremental: false,
      noUnusedLocals: false,
      noUnusedParameters: false,
    }),
    getScriptFileNames: () => [...new Set(mutants.map(({ file }) => join(root, file)))],
    getScriptVersion: (path) => String(texts.get(path)?.version ?? 0),
    getScriptSnapshot: (path) => {
      const text = textOf(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  const broken: number[] = [];
  for (const mutant of mutants) {
    const path = join(root, mutant.file);
    const code = codes[mutant.file]!;
    texts.set(path, { version: mutant.id, text: mutated(code, mutant) });
    const faults = [...service.getSyntacticDiagnostics(path), ...service.getSemanticDiagnostics(path)];
    texts.set(path, { version: -mutant.id, text: code });
    if (faults.length > 0) broken.push(mutant.id);
    // The tests run meanwhile. Without this pause their results arrive late, and they seem to hang.
    await setImmediate();
  }
  return broken;
}

/** Makes a copy of the tree in which each mutant can be switched on. */
function makeCopy(copy: string, { mutants, codes }: Plan): void {
  const left = ['node_modules', '.git', '.tsc'].map((name) => join(root, name));
  cpSync(root, copy, { recursive: true, filter: (path) => !left.includes(path) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const [file, code] of Object.entries(codes)) {
    const own = mutants.filter((mutant) => mutant.file === file);
    writeFileSync(join(copy, file), switchable(code, new Map(own.map((mutant) => [mutant.id, mutant]))));
  }
}

/** Runs tests in a process of its own, which is ended if it falls silent: a mutation may never end. */
class Tests {
  #child: ChildProcess | undefined;

  constructor(
    readonly copy: string,
    readonly reached: string,
  ) {}

  /** What failed first, or null. */
  run(order: Order, onRan: (ran: Ran) => void = () => {}): Promise<string | null> {
    const child = (this.#child ??= fork(join(this.copy, 'test/bench/mutate/runner.ts'), [this.copy, this.reached], {
      cwd: this.copy,
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }));
    return new Promise((resolve) => {
      const end = (failed: string | null): void => {
        clearTimeout(timer);
        child.removeAllListeners('exit').removeAllListeners('message');
        resolve(failed);
      };
      const stop = (): void => {
        this.close();
        end('it does not end');
      };
      let timer = setTimeout(stop, 2 * SILENCE);
      child.on('exit', () => {
        this.#child = undefined;
        end('the process of the tests ends');
      });
      child.on('message', (said: Said) => {
        clearTimeout(timer);
        if ('done' in said) return end(said.failed);
        onRan(said.ran);
        timer = setTimeout(stop, SILENCE);
      });
      child.send(order);
    });
  }

  /** Ends the process and its workers, which are a group. */
  close(): void {
    if (this.#child?.pid !== undefined) process.kill(-this.#child.pid, 'SIGKILL');
    this.#child = undefined;
  }
}

/** The tests that reach each mutant, most promising first. */
function testsFor(mutant: Mutant, { tests: all, reached, codes }: Plan): readonly Ran[] {
  const own = reached.filter((line) => line.mutant === mutant.id);
  const ids = new Set(own.map(({ test }) => test));
  const files = new Set(own.flatMap(({ test, file }) => (test === null ? [file] : [])));
  // Tests share what they load, so only the first of them reaches what runs while a module is loaded.
  const wing = mutant.loads || files.size > 0 ? mutant.file.split('/')[1]! : undefined;
  const tests = all.filter(
    ({ id, file, project }) =>
      ids.has(id) ||
      files.has(file) ||
      file.startsWith(`test/${wing}/`) ||
      (wing === 'conformance' && project === 'kill'),
  );
  const words = new Set(wordsOf(mutant.file));
  const code = codes[mutant.file]!;
  // A case of the kill matrix names its rule first.
  const likeness = ({ file, project, name }: Ran): number =>
    project === 'kill' && code.includes(name.split(' ')[1]!)
      ? 9
      : wordsOf(file).filter((word) => words.has(word)).length;
  const rank = (test: Ran): number => (ids.has(test.id) ? 0 : files.has(test.file) ? 1 : 2);
  return tests.sort((a, b) => rank(a) - rank(b) || likeness(b) - likeness(a) || a.milliseconds - b.milliseconds);
}

const wordsOf = (path: string): string[] => path.split(/[/.-]/).slice(1);

interface Reached {
  readonly mutant: number;
  readonly test: string | null;
  readonly file: string;
}

/** Chosen tests by file. */
function choicesOf(tests: readonly Ran[]): Choice[] {
  const byFile = new Map<string, Ran[]>();
  for (const one of tests) byFile.set(one.file, [...(byFile.get(one.file) ?? []), one]);
  return [...byFile].map(([file, own]) => ({ file, project: own[0]!.project, tests: own.map(({ id }) => id) }));
}

function shown(mutant: Mutant, code: string): string {
  const [before, after] = [code, mutated(code, mutant)].map((text) => {
    const start = text.lastIndexOf('\n', mutant.from) + 1;
    const end = text.indexOf('\n', text === code ? mutant.to : mutant.from + mutant.text.length);
    return text.slice(start, end);
  });
  const marked = (sign: string, text: string): string => text.replace(/^/gm, `  ${sign} `);
  return `${mutant.file}:${mutant.line}\n${marked('-', before!)}\n${marked('+', after!)}`;
}

/** Chooses mutants, copies the tree, and runs all tests without a mutation. */
async function prepare(copy: string, tests: Tests): Promise<Plan> {
  const mutants = choose(Number(values.count), values.seed);
  const codes = Object.fromEntries(mutants.map(({ file }) => [file, readFileSync(join(root, file), 'utf8')]));
  const plan: Plan = { mutants, codes, broken: [], tests: [], reached: [] };
  makeCopy(copy, plan);
  const ran: Ran[] = [];
  const over = tests.run({ mutant: 0, paths: values.tests.split(',').filter(Boolean) }, (one) => void ran.push(one));
  const broken = await uncompilable(mutants, codes);
  const failed = await over;
  if (ran.length === 0) throw new Error(`no test ran: ${failed ?? 'none has such a path'}`);
  const passed = ran.filter(({ passed }) => passed);
  console.log(`${ran.length} tests, of which ${ran.length - passed.length} fail without a mutation and are left out`);
  const usable = passed.filter(({ name, file }) => !BLIND.test(file) && !BLIND.test(name));
  const lines = readFileSync(tests.reached, 'utf8').split('\n').filter(Boolean);
  const reached = lines.map((line) => {
    const { file, ...rest } = JSON.parse(line) as Reached;
    return { ...rest, file: file.slice(copy.length + 1) };
  });
  return { ...plan, broken, tests: usable, reached };
}

async function main(): Promise<void> {
  const copy = values.copy || mkdtempSync(join(tmpdir(), 'mutate-'));
  const kept = join(copy, 'mutate.json');
  const tests = new Tests(copy, join(copy, 'reached.jsonl'));
  process.on('exit', () => {
    tests.close();
    if (!values.copy) rmSync(copy, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      console.log(`ended by ${signal}`);
      process.exit(1);
    });
  }

  const plan = existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as Plan) : await prepare(copy, tests);
  writeFileSync(kept, JSON.stringify(plan));
  const { mutants, broken, codes } = plan;
  const counts = { killed: 0, survived: 0, unreached: 0, uncompilable: broken.length };
  const only = values.only.split(',').filter(Boolean).map(Number);
  const wanted = mutants.filter(({ id }) => !broken.includes(id) && (only.length === 0 || only.includes(id)));
  for (const mutant of wanted) {
    const { what, why } = await judge(mutant, testsFor(mutant, plan), tests);
    counts[what] += 1;
    console.log(`${mutant.id} ${what} (${why}) ${shown(mutant, codes[mutant.file]!)}`);
  }
  console.log(counts);
  process.exit();
}

type Outcome = { readonly what: 'killed' | 'survived' | 'unreached'; readonly why: string };

/** Runs the tests of a mutant until one fails or its time is over. */
async function judge({ id }: Mutant, all: readonly Ran[], tests: Tests): Promise<Outcome> {
  if (all.length === 0) return { what: 'unreached', why: 'no test runs it' };
  const until = Date.now() + Number(values.seconds) * 1000;
  let tried = 0;
  for (let turn = 0; tried < all.length && Date.now() < until; turn += 1) {
    const batch = all.slice(tried, tried + (BATCHES[turn] ?? BATCHES.at(-1)!));
    const failed = await tests.run({ mutant: id, choices: choicesOf(batch) });
    if (failed !== null) return { what: 'killed', why: failed };
    tried += batch.length;
  }
  return { what: 'survived', why: `${tried} of ${all.length} tests` };
}

await main();

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { parse, stringify } from 'yaml';
import { rootFolder } from '../../../spec/generate/folders.js';
import { readKnownObligations } from '../../../src/certification/known-obligations.js';
import { certifyFlags } from '../../../src/cli/certify/flags.js';
import { readSection } from '../../../src/cli/commands/check-config.js';
import { readScenarioFolder } from '../../../src/cli/scenario-files.js';
import { UsageError } from '../../../src/cli/usage-error.js';
import { ValidationError } from '../../../src/common/index.js';
import { readWalk } from '../../../src/conformance/explore/read-walk.js';
import { fileReporters } from '../../../src/conformance/report/index.js';
import { Recorder } from '../../../src/conformance/report/recorder.js';
import { ArchiveReader } from '../../../src/conformance/replay/archive.js';
import { readKnown } from '../../../src/conformance/run/known.js';
import { compareReports, readReport } from '../../../src/conformance/run/summary/compare.js';
import { createSandbox, parseDialectCard } from '../../../src/engine/library.js';
import { playCapsule } from '../../../src/engine/play.js';
import { open } from '../../support/client.js';
import { sampled } from '../../support/sampled.js';
import { bookingFor, findTeeTime } from '../../support/scenes.js';
import { deploy } from '../../conformance/deployment.js';

/** An hour by hand: `TEEBOX_FUZZ=100000 npm test -- test/cli/fuzz`. */
const runs = [50, Number(process.env['TEEBOX_FUZZ'] ?? 400)] as const;

type Tree = unknown;

/** What somebody who wants to break a reader puts in the place of a value. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(null, '', 0, -1, 1.5, 1e300, true, [], {}, [[]], '__proto__', '\u0000', 'x'.repeat(5000)),
  fc.constantFrom<unknown>({ toString: 1 }, { length: 1e9 }, { constructor: {} }, JSON.parse('{"__proto__":{"a":1}}')),
  fc.constantFrom<unknown>('2026-02-31', '2026-06-01T08:00:00Z', 9e15, '9'.repeat(400), '$ref', '../../etc', 'PT1H'),
  fc.jsonValue(),
);

/** Where in a tree, and what becomes of the value there. */
const change = fc.record({
  path: fc.array(fc.nat(1000), { minLength: 1, maxLength: 8 }),
  how: fc.constantFrom('replace', 'remove', 'add', 'repeat'),
  value: odd,
  name: fc.constantFrom('__proto__', 'constructor', 'extra', 'toString', ''),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** A tree with one change, which leaves the tree itself as it is. */
function changed(tree: Tree, { path: [step = 0, ...rest], how, value, name }: Change): Tree {
  if (typeof tree !== 'object' || tree === null) return value;
  const keys = Object.keys(tree);
  if (keys.length === 0) return value;
  const key = keys[step % keys.length]!;
  const copy = (Array.isArray(tree) ? [...(tree as unknown[])] : { ...tree }) as Record<string, unknown>;
  const put = (at: string, one: unknown): void =>
    void Object.defineProperty(copy, at, { value: one, enumerable: true, configurable: true, writable: true });
  if (rest.length > 0 && typeof copy[key] === 'object' && copy[key] !== null) {
    put(key, changed(copy[key], { path: rest, how, value, name }));
  } else if (how === 'replace') put(key, value);
  else if (how === 'remove' && Array.isArray(copy)) copy.splice(Number(key), 1);
  else if (how === 'remove') delete copy[key];
  else if (Array.isArray(copy)) copy.push(how === 'repeat' ? copy[Number(key)] : value);
  else put(how === 'repeat' ? `${key} ` : name, how === 'repeat' ? copy[key] : value);
  return copy;
}

const [folder, scenarios] = ['files', 'scenarios'].map((name) =>
  mkdtempSync(join(tmpdir(), `teebox-fuzz-${name}-`)),
) as [string, string];
afterAll(() => [folder, scenarios].forEach((one) => rmSync(one, { recursive: true })));

async function recordedRun() {
  const recorder = new Recorder();
  const { check } = await deploy();
  const only = ['countries.*', 'prices.default-limit'] as never;
  await check({ only, onEvent: (event) => recorder.onEvent(event) });
  return recorder.run;
}

/** Files that a user of the command line may give it, and what reads them. */
const readers: readonly (readonly [name: string, sample: () => Promise<Tree>, read: (value: Tree) => unknown])[] = [
  [
    'a state',
    async () => (await createSandbox({ facilities: 2, now: '2026-06-01T08:00:00Z' })).snapshot(),
    (state) => createSandbox({ facilities: 2, now: '2026-06-01T08:00:00Z', state: state as never }),
  ],
  [
    'a capsule',
    async () => {
      const { fairway, sandbox } = await open({ facilities: 2 });
      await fairway.post('/api/v5/bookings', bookingFor(await findTeeTime(fairway)));
      return sandbox.capsule();
    },
    (capsule) => playCapsule(capsule),
  ],
  [
    'a dialect card',
    async () => ({
      name: 'staging',
      answers: { 'payment.method': { v5: 'post' }, 'prices.max-limit': 5 },
      atLeast: { 'prices.default-limit': 280 },
      scenarios: ['payment-pi-failed; delay=800ms'],
    }),
    async (card) => createSandbox({ facilities: 2, dialect: parseDialectCard(card) }),
  ],
  [
    'a report',
    async () => JSON.parse(JSON.stringify((await recordedRun()).report)),
    (report) => compareReports(readReport(report), readReport(report)),
  ],
  ['a HAR file', async () => JSON.parse(fileReporters.har(await recordedRun())), (har) => new ArchiveReader().end(har)],
  [
    'a walk',
    async () => ({
      form: 1,
      seed: 7,
      spots: [{ free: 4 }],
      steps: [
        { do: 'book', id: 1, as: 'first', by: 'single', items: [{ spot: 0, players: 1 }] },
        {
          do: 'together',
          id: 3,
          steps: [{ do: 'book', id: 2, as: 'first', by: 'round', items: [{ spot: 0, players: 2 }] }],
          jitter: 0,
        },
      ],
    }),
    (walk) => readWalk(walk),
  ],
  [
    'a baseline',
    async () => ({
      known: [{ id: 'errors.body', operation: 'createBooking', version: 'v5', issue: '17', until: '2027-01-31' }],
    }),
    (known) => readKnown(known),
  ],
  [
    'known obligations',
    async () => ({ known: [{ id: 'tokens.newest', issue: '18', until: '2027-01-31' }] }),
    (known) => readKnownObligations(known),
  ],
  [
    'a configuration',
    async () => ({
      certify: { jobs: 2, timeout: '2s' },
      serve: { port: 4653 },
      targets: { staging: { url: 'https://a.example' } },
    }),
    (config) => {
      const file = join(folder, 'teebox.config.yaml');
      writeFileSync(file, stringify(config));
      return readSection('certify', certifyFlags, file, {});
    },
  ],
  [
    'a scenario',
    async () => parse(readFileSync(join(rootFolder, 'scenarios/booking-failed.yaml'), 'utf8')),
    (scenario) => {
      writeFileSync(join(scenarios, 'own.json'), JSON.stringify({ ...Object(scenario), id: 'own-failure' }));
      return readScenarioFolder(scenarios);
    },
  ],
];

/** Whether an error is about the file, in words for its author. */
function isInWords(error: unknown): boolean {
  const { name, message } = error as Error;
  const isOurs =
    error instanceof ValidationError || error instanceof UsageError || name === 'Error' || name === 'RangeError';
  return (
    isOurs && /[a-z]{2,} /.test(message) && !/undefined|is not a function|Cannot read|is not iterable/.test(message)
  );
}

for (const reader of readers) {
  sampled(`no change of ${reader[0]} ends its reader but with words`, runs, (count) => expectWords(reader, count));
}

async function expectWords([, sample, read]: (typeof readers)[number], numRuns: number): Promise<void> {
  const right = await sample();
  await read(right);
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      const wrong = changes.reduce(changed, right);
      try {
        await read(wrong);
      } catch (error) {
        expect(isInWords(error), `${(error as Error).stack}`).toBe(true);
      }
      const spoilt = Object.keys(Object.prototype);
      for (const name of spoilt) Reflect.deleteProperty(Object.prototype, name);
      expect(spoilt).toEqual([]);
    }),
    { numRuns },
  );
}

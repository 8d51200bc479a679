/**
 * The benchmark: Teebox as users have it, beside bare Hono sending the same bytes. It reports and judges nothing;
 * it fails only when it could not measure.
 *
 * Usage: npm run bench -- [--only PART] [--rounds N] [--json FILE]
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { cleanUp } from './children.js';
import { measureDataLibrary } from './data-library.js';
import { measureInProcess } from './in-process.js';
import { measureMsw } from './msw.js';
import { measureRead, readCases } from './reads.js';
import { measureLayer } from './layer.js';
import { measureProxy } from './proxy.js';
import { type Row, type Section, sectionText } from './report.js';
import { measureStartUp } from './start-up.js';
import { measureBooking, measureBookingList, measureChangedSheet } from './writes.js';

const ROUNDS = 5;
const requestCases: Record<string, (rounds: number) => Promise<readonly Row[]>> = {
  ...Object.fromEntries(readCases.map((one) => [one.name, async (rounds: number) => [await measureRead(one, rounds)]])),
  'changed-sheet': async (rounds) => [await measureChangedSheet(rounds)],
  booking: async (rounds) => [await measureBooking(rounds)],
  'booking-list': measureBookingList,
};
const otherParts: Record<string, (rounds: number) => Promise<Section>> = {
  'start-up': (rounds) => measureStartUp(rounds + 4),
  'in-process': measureInProcess,
  msw: measureMsw,
  layer: measureLayer,
  proxy: measureProxy,
  'data-library': measureDataLibrary,
};

interface Options {
  readonly parts: readonly string[];
  readonly rounds: number;
  readonly json: string | undefined;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: { only: { type: 'string', multiple: true }, rounds: { type: 'string' }, json: { type: 'string' } },
  });
  const all = ['start-up', ...Object.keys(requestCases), 'in-process', 'layer', 'proxy', 'msw', 'data-library'];
  const parts = values.only ?? all;
  const stray = parts.find((part) => !all.includes(part));
  if (stray) throw new Error(`There is no part \`${stray}\`. Please choose from ${all.join(', ')}.`);
  const rounds = Number(values.rounds ?? ROUNDS);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('`--rounds` must be a whole number, at least 1.');
  return { parts, rounds, json: values.json };
}

/** The parts asked for; each section is shown as soon as it is measured. */
async function measure({ parts, rounds }: Options): Promise<Section[]> {
  const sections: Section[] = [];
  const show = (section: Section): void => {
    sections.push(section);
    console.log(sectionText(section));
  };
  if (parts.includes('start-up')) show(await otherParts['start-up']!(rounds));
  const rows: Row[] = [];
  for (const [name, run] of Object.entries(requestCases)) {
    if (!parts.includes(name)) continue;
    process.stderr.write(`${name} ...\n`);
    rows.push(...(await run(rounds)));
  }
  if (rows.length > 0) show({ title: 'Requests: beside bare Hono sending the same bytes', rows, note: requestNote });
  for (const name of ['in-process', 'layer', 'proxy', 'msw', 'data-library']) {
    if (parts.includes(name)) show(await otherParts[name]!(rounds));
  }
  return sections;
}

const requestNote =
  '`ratio` is the median over neighbouring rounds; `cpu us` is processor time a request; a `busy` far below 1 says ' +
  'that the load, which shares the machine, was slower than the server.';

const options = readOptions();
const start = performance.now();
console.log(`Node ${process.version}, ${cpus().length} processors, ${options.rounds} rounds`);
try {
  const sections = await measure(options);
  console.log(`\nMeasured in ${((performance.now() - start) / 1000).toFixed(0)} s.`);
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ node: process.version, sections }, null, 2)}\n`);
} catch (error) {
  console.error(`Failed to measure: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  cleanUp();
}

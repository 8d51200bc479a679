// Runs the suite against each variation and prints what came of it:
//   npx tsx test/conformance/independent/measure.ts lawful|defects|arrays|structs [pattern of names [runs]]
// With a number of runs, arrays and structs say in how many of them a regression is found, and by which rules first.
import type { Report } from '../../../src/conformance/client/types.js';
import { complaintsOf } from '../full-run.js';
import { defects } from './defects/index.js';
import { lawful } from './lawful/index.js';
import * as arrays from '../yardstick/arrays/index.js';
import * as structs from '../yardstick/structs/index.js';
import { all, deployIndependent, everything, trialOf } from './run.js';

const [, , what, word = '', times] = process.argv;
const sum = { runs: 0, wrong: 0, named: 0, inconclusive: 0, requests: 0, milliseconds: 0 };
const print = (mark: string, name: string, lines: readonly string[]): void => {
  console.log(
    [`${mark} ${name}`, ...lines.slice(0, word ? 30 : 4).map((line) => `        ${line.slice(0, 260)}`)].join('\n'),
  );
};

async function measureLawful(): Promise<void> {
  for (const { name, change, options } of lawful.filter((one) => new RegExp(word).test(one.name))) {
    const begun = performance.now();
    const report = await deployIndependent(change).check({ ...all, ...options });
    const said = complaintsOf(report);
    count(report, performance.now() - begun);
    if (said.length > 0) sum.wrong += 1;
    if (said.length > 0 || word) print(said.length > 0 ? 'FALSE' : 'ok', name, said);
  }
}

async function measureDefects(): Promise<void> {
  for (const { name, change, how, names } of defects.filter((one) => new RegExp(word).test(one.name))) {
    const begun = performance.now();
    const report = await deployIndependent(change).check(how === 'reading' ? {} : all);
    const { findings, rules } = report;
    const order = findings.flatMap((one) => one.rules);
    const said = complaintsOf({ ...report, rules: order.map((id) => rules.find((rule) => rule.id === id)!) });
    const isNamed = names.test(order[0] ?? '');
    count(report, performance.now() - begun);
    if (isNamed) sum.named += 1;
    const mark = isFound(report) && !isNamed ? 'MISNAMED' : markOf(report);
    if (!isFound(report)) sum.wrong += 1;
    if (mark !== 'ok' || word) print(mark, `${name} (${how})`, said);
  }
}

/** The everyday regressions of a yardstick: those that reads alone show, and the others, with all permissions. */
async function measureYardstick({ channels, deploy, regressions }: typeof arrays | typeof structs): Promise<void> {
  const tally = { reading: [0, 0], writing: [0, 0] };
  for (const { name, how } of regressions.filter((one) => new RegExp(word).test(one.name))) {
    const trial = (seed?: number) => trialOf((around) => deploy(around, new Set([name])), channels, seed);
    if (times !== undefined) {
      await measureRuns(name, Number(times), (seed) => trial(seed).check(everything(channels)));
      continue;
    }
    const begun = performance.now();
    const report = await trial().check(everything(channels));
    count(report, performance.now() - begun);
    const byReading = how === 'writing' || isFound(await trial().check());
    tally[how][1]! += 1;
    if (isFound(report) && byReading) tally[how][0]! += 1;
    if (!isFound(report)) sum.wrong += 1;
    const mark = isFound(report) && !byReading ? 'MISSED BY READING' : markOf(report);
    print(mark, `${name} (${how})`, complaintsOf(report).slice(0, word ? 30 : 2));
  }
  console.log(JSON.stringify(tally));
}

/** In how many runs with different seeds a regression is found, and which rule each names first. */
async function measureRuns(name: string, runs: number, check: (seed: number) => Promise<Report>): Promise<void> {
  const first: Record<string, number> = {};
  for (let run = 0; run < runs; run += 1) {
    const begun = performance.now();
    const report = await check(run / runs);
    count(report, performance.now() - begun);
    const id = report.findings[0]?.rules[0];
    const rule = report.rules.find((one) => one.id === id);
    const named = rule ? `${rule.id} (${rule.verdict})` : 'none';
    first[named] = (first[named] ?? 0) + 1;
  }
  const missed = first['none'] ?? 0;
  if (missed > 0) sum.wrong += 1;
  const rules = Object.entries(first).map(([rule, often]) => `${rule} ${often}`);
  print(missed === runs ? 'MISSED' : missed > 0 ? 'BY LUCK' : 'ok', `${runs - missed} of ${runs}: ${name}`, rules);
}

/** A warning finds a regression, too: a run with no other finding exits with 0. */
const isFound = ({ findings }: Report): boolean => findings.length > 0;

function markOf(report: Report): string {
  if (!isFound(report)) return `MISSED ${report.exitCode}`;
  return report.exitCode === 1 ? 'ok' : 'WARNS';
}

function count({ counts, requests }: { counts: { inconclusive: number }; requests: number }, time: number): void {
  sum.runs += 1;
  sum.inconclusive += counts.inconclusive;
  sum.requests += requests;
  sum.milliseconds += time;
}

const measures: Readonly<Record<string, () => Promise<void>>> = {
  lawful: measureLawful,
  defects: measureDefects,
  arrays: () => measureYardstick(arrays),
  structs: () => measureYardstick(structs),
};
await measures[what ?? 'defects']!();
console.log(JSON.stringify(sum));

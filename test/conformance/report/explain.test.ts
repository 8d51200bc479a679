import { expect, test } from 'vitest';
import { replay } from '../../../src/conformance/replay/replay.js';
import { fileReporters } from '../../../src/conformance/report/index.js';
import { Recorder } from '../../../src/conformance/report/recorder.js';
import { TerminalReporter } from '../../../src/conformance/report/terminal.js';
import type { Report, RuleResult } from '../../../src/conformance/client/types.js';
import type { RuleId } from '../../../src/contract/index.js';
import { deploy, type Layer } from '../deployment.js';
import { recorded } from '../recorded.js';

const agreement = 'prices.agrees-teetimes';

/** Evaluates and explains a rule. */
async function explained(rule: RuleId, layer?: Layer, others: readonly RuleId[] = []) {
  const recorder = new Recorder('1.2.3');
  const lines: string[] = [];
  const terminal = new TerminalReporter({ line: (text) => void lines.push(text), colour: false });
  const { check } = await deploy({}, layer);
  const report = await check({
    only: [rule, ...others],
    explain: rule,
    depth: 'quick',
    onEvent(event) {
      recorder.onEvent(event);
      terminal.onEvent(event);
    },
  });
  const own = lines.slice(lines.findIndex((line) => line.startsWith(`${rule}, `)));
  const result = report.rules.find(({ id }) => id === rule)!;
  return {
    report,
    result,
    json: fileReporters.json(recorder.run),
    lines: own.slice(0, own.indexOf('')),
    summary: lines.join('\n'),
  };
}

const comparisonsOf = ({ comparisons }: RuleResult, held: boolean): number =>
  comparisons!.filter(({ holds }) => holds === held).reduce((sum, { count }) => sum + count, 0);

/** Beside a rule that compares answers, too, and is not to be explained. */
const told = explained(agreement, undefined, ['prices.total']);

test('every comparison of a rule is told, with the requests whose answers it compared', async () => {
  const { result, json, lines } = await told;
  expect(comparisonsOf(result, true)).toBe(result.reach!.comparisons);
  expect(comparisonsOf(result, false)).toBe(0);
  const named = result.comparisons!.flatMap(({ exchanges }) => exchanges);
  const kept = (JSON.parse(json) as { exchanges: { id: string }[] }).exchanges.map(({ id }) => id);
  expect(kept).toEqual(expect.arrayContaining(named));
  expect(lines[0]).toBe(`${agreement}, pass:`);
  const [first] = result.comparisons!;
  const { count, facility, day, currency } = first!;
  const counted = count === 1 ? '1 comparison' : `${count} comparisons`;
  expect(lines[1]).toBe(`  held: ${counted}, facility ${facility}, ${day}, ${currency}`);
  expect(lines.filter((line) => line.startsWith('    GET '))).toHaveLength(named.length);
  expect(lines).toHaveLength(1 + result.comparisons!.length + named.length);
});

test('so is each difference', async () => {
  const dearer: Layer = async (request, through) => {
    const response = await through(request);
    if (!request.url.includes('/price/')) return response;
    return new Response((await response.text()).replace(/"price":(\d+)/g, '"price":1$1'), response);
  };
  const { report, result, lines, json, summary } = await explained(agreement, dearer);
  expect(report.exitCode).toBe(1);
  expect(comparisonsOf(result, false)).toBeGreaterThan(0);
  expect(lines[0]).toBe(`${agreement}, fail:`);
  expect(lines.join('\n')).toMatch(/\n {2}differed: \d+ comparisons?, facility \d+/);
  // Both sides can be asked again.
  const { exchanges } = JSON.parse(json) as { exchanges: { id: string; request: { url: string } }[] };
  const sides = [result.shownBy, result.against].map((id) => exchanges.find((one) => one.id === id)!.request.url);
  expect(sides.sort()).toEqual([expect.stringContaining('/teetimes/'), expect.stringContaining('/price/')]);
  for (const [at, label] of ['again', 'beside'].entries()) {
    const command = summary.split('\n').find((line) => line.startsWith(`  ${label}:`))!;
    expect(command).toContain(
      `curl -i '${exchanges.find(({ id }) => id === [result.shownBy, result.against][at])!.request.url}'`,
    );
  }
});

test('a rule that compares no answers shows its requests', async () => {
  const { result, lines } = await explained('countries.list');
  expect(lines.slice(0, 2)).toEqual(['countries.list, pass:', `  ${result.statement}`]);
  expect(lines.slice(2)).toHaveLength(result.exchanges.length);
  expect(lines[2]).toMatch(/^ {4}GET http.*\/api\/v\d\/countries/);
});

test('a recording is explained by its own answers', { tags: ['slow'] }, async () => {
  const { run } = await recorded({ only: [agreement], depth: 'quick' });
  const archive: unknown = JSON.parse(fileReporters.har(run));
  const { rules } = await replay({ archive, host: { now: () => 0 }, explain: agreement });
  const result = rules.find(({ id }) => id === agreement)!;
  expect(result.reach!.comparisons).toBeGreaterThan(0);
  expect(comparisonsOf(result, true)).toBe(result.reach!.comparisons);
});

test('no other result has comparisons', async () => {
  const { check } = await deploy();
  const reports: Report[] = [await check({ only: [agreement], depth: 'quick' }), (await told).report];
  const explainedIn = reports.map(({ rules }) => rules.filter((rule) => 'comparisons' in rule).map(({ id }) => id));
  expect(explainedIn).toEqual([[], [agreement]]);
});

import { expect, test } from 'vitest';
import { TerminalReporter } from '../../../src/conformance/report/terminal.js';
import type { Leftover } from '../../../src/conformance/client/types.js';
import type { Report } from '../../../src/conformance/client/types.js';
import { readKnown } from '../../../src/conformance/run/known.js';
import { altering, deploy } from '../deployment.js';

test('the terminal counts what was left behind, and says where the list is', async () => {
  const report = await (await deploy()).check({ only: ['countries.list'] });
  const booking = { kind: 'booking', channel: 'first', what: 'facility 1001', exchange: 'x1' } as const;
  const litter: Leftover[] = Array.from({ length: 60 }, (_, index) => ({ ...booking, bookingId: `left-${index}` }));
  const lines: string[] = [];
  const terminal = new TerminalReporter({ line: (text) => void lines.push(text), colour: false });
  terminal.onEvent({ type: 'end', report: { ...report, litter } });
  expect(lines).toContain('  60 bookings; --leftovers FILE lists them');
  expect(lines.join()).not.toContain('left-7');
});

const linesOf = (report: Report, quiet = false): string[] => {
  const lines: string[] = [];
  new TerminalReporter({ line: (text) => void lines.push(text), colour: false, quiet }).onEvent({
    type: 'end',
    report,
  });
  return lines;
};

test('the terminal ends with findings and verdict, after what was observed and missing', async () => {
  const broken = altering(/facilities$/, ({ data }) => data.forEach((item: { name: unknown }) => (item.name = 5)));
  const report = await (await deploy({}, broken)).check({ only: ['countries.*', 'facilities.*', 'search.*'] });
  const lines = linesOf(report);
  const at = (start: string): number => lines.findIndex((line) => line.startsWith(start));
  expect(at('Open questions answered:')).toBeGreaterThan(-1);
  expect(at('Open questions answered:')).toBeLessThan(at('FAIL facilities.item.name'));
  expect(lines.slice(at('FAIL facilities.item.name')).filter((line) => line.endsWith(':'))).toEqual([]);
  expect(lines.at(-1)).toMatch(/^not-conformant: /);
  for (const [question] of Object.entries(report.dialect.answers))
    expect(lines.join('\n')).toContain(`  ${question}: `);
  const missing = report.rules.filter(({ verdict }) => verdict === 'not-run').map(({ id }) => id);
  expect(lines.join('\n')).toContain(`${missing.length} rules (${missing.slice(0, 8).join(', ')}`);
  const quiet = linesOf(report, true);
  expect(quiet[0]).toBe('FAIL facilities.item.name');
  expect(quiet.at(-1)).toBe(lines.at(-1));
  expect(quiet.join('\n')).not.toContain('Open questions');
});

test('an entry of the baseline that no longer fails is named, with --quiet too', async () => {
  const known = readKnown({ known: [{ id: 'countries.item' }] });
  const report = await (await deploy()).check({ only: ['countries.*'], known });
  for (const quiet of [false, true]) expect(linesOf(report, quiet).slice(0, -1).join('\n')).toContain('countries.item');
});

import { expect, test } from 'vitest';
import { TerminalReporter } from '../../../src/conformance/report/terminal.js';
import type { Leftover } from '../../../src/conformance/client/types.js';
import { deploy } from '../deployment.js';

test('the terminal lists all that was left behind, however much it is', async () => {
  const report = await (await deploy()).check({ only: ['countries.list'] });
  const booking = { kind: 'booking', channel: 'first', what: 'facility 1001', exchange: 'x1' } as const;
  const litter: Leftover[] = Array.from({ length: 60 }, (_, index) => ({ ...booking, bookingId: `left-${index}` }));
  const lines: string[] = [];
  const terminal = new TerminalReporter({ line: (text) => void lines.push(text), colour: false });
  terminal.onEvent({ type: 'end', report: { ...report, litter } });
  expect(lines.filter((line) => /^ {2}left-\d+: /.test(line))).toHaveLength(60);
});

import { expect, test } from 'vitest';
import type { CheckOptions } from '../../../src/conformance/run/check-options.js';
import type { CheckEvent } from '../../../src/conformance/client/types.js';
import { fileReporters } from '../../../src/conformance/report/index.js';
import { githubAnnotations } from '../../../src/conformance/report/index.js';
import { Recorder } from '../../../src/conformance/report/recorder.js';
import { TerminalReporter } from '../../../src/conformance/report/terminal.js';
import { replay } from '../../../src/conformance/replay/replay.js';
import { altering, deploy } from '../deployment.js';
import { recorded } from '../recorded.js';

const guest = {
  contactName: 'Jane Roe',
  contactFirstName: 'Jane',
  contactLastName: 'Roe',
  contactPhone: '+31 6 1234 5678',
  contactEmail: 'jane@roe.test',
};
const known = ['Jane', 'Roe', '1234 5678', 'jane@roe.test'];

/** A deployment that lists a guest's booking in the wrong form, so that findings quote it. */
async function reportsOf(changes: Partial<CheckOptions> = {}) {
  const { check, options } = await deploy(
    {},
    altering(/\/bookings$/, (body) => {
      for (const item of body.data)
        for (const [name, value] of Object.entries(guest)) if (name in item) item[name] = value;
      if (body.data[0])
        Object.assign(body.data[0], { players: 'two', contactPhone: 612345678, contactEmail: 'jane@roe.test' });
    }),
  );
  const recorder = new Recorder();
  const lines: string[] = [];
  const terminal = new TerminalReporter({ line: (text) => void lines.push(text), colour: false });
  const report = await check({
    only: ['bookings.item.*', 'envelope.*'],
    depth: 'quick',
    ...changes,
    onEvent(event) {
      recorder.onEvent(event);
      terminal.onEvent(event);
    },
  });
  const written = Object.fromEntries(Object.entries(fileReporters).map(([name, write]) => [name, write(recorder.run)]));
  const texts: Record<string, string> = {
    ...written,
    terminal: lines.join('\n'),
    github: githubAnnotations(recorder.run).join('\n'),
  };
  return { report, texts, host: options.host };
}

async function expectNoGuest(changes?: Partial<CheckOptions>): Promise<void> {
  const { report, texts, host } = await reportsOf(changes);
  expect(report.counts.fail).toBeGreaterThan(0);
  for (const [name, text] of Object.entries(texts)) {
    for (const value of [...known, '612345678']) expect(text.includes(value), `${value} in ${name}`).toBe(false);
  }
  const told: string[] = [];
  const onEvent = (event: CheckEvent) => void told.push(event.type === 'rule' ? event.result.id : event.type);
  const again = await replay({ archive: JSON.parse(texts['har']!), host, onEvent });
  expect(JSON.stringify(again)).not.toContain('jane@roe.test');
  expect(told.filter((one) => one !== 'exchange')).toEqual(['start', ...again.rules.map(({ id }) => id), 'end']);
}

test('no report has the data of a guest', () => expectNoGuest());

test('no report has the data of a guest, whatever is read of bookings', { tags: ['slow'] }, () =>
  expectNoGuest({ only: ['bookings.*', 'auth.*', 'envelope.*'], depth: 'standard' }),
);

test('unless it is to be shown, and then a replay masks it', { tags: ['slow'] }, async () => {
  const { texts, host } = await reportsOf({ showPersonalData: true });
  expect(texts['har']).toContain('jane@roe.test');
  const seen: string[] = [];
  const onEvent = (event: object): void => void seen.push(JSON.stringify(event));
  await replay({ archive: JSON.parse(texts['har']!), host, onEvent });
  expect(seen.join()).not.toContain('jane@roe.test');
  await replay({ archive: JSON.parse(texts['har']!), host, onEvent, showPersonalData: true });
  expect(seen.join()).toContain('jane@roe.test');
});

test('a booking of the run is shown with what was booked', async () => {
  const { run } = await recorded({ only: ['bookings.create*'], allow: ['bookings'] });
  const har = fileReporters.har(run);
  expect(har).toContain('conformance.check@example.com');
});

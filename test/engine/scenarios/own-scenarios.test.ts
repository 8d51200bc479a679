import { readFile, readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { specOf } from '../../../src/engine/scenarios/spec.js';
import { readScenario } from '../../../src/engine/state/own-scenarios.js';
import { scenarios } from '../../../src/contract/generated/scenarios.js';
import { adminOf } from '../../support/admin.js';
import { listedIds } from '../../support/booking-list.js';
import { open } from '../../support/client.js';
import { ownScenario, wrongOnes } from '../../support/scenarios/own-scenario.js';
import { postPatiently } from '../../support/scenarios/patience.js';
import { bookingFor, findTeeTime } from '../../support/scenes.js';

const folder = new URL('../../../scenarios/', import.meta.url);

test('what comes with the sandbox is what a user could bring, file by file', async () => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml'));
  const read = [];
  for (const name of names) {
    const { $schema: _, ...value } = parse(await readFile(new URL(name, folder), 'utf8'));
    expect(`${value.id}.yaml`).toBe(name);
    read.push(readScenario(value));
  }
  expect(read.map(({ id }) => id).sort()).toEqual(scenarios.map(({ id }) => id).sort());
});

test.each<[delay: unknown, exact: unknown]>([
  ['2s', 2000],
  ['PT1M', 60_000],
  ['uniform(100ms, 1s)', { uniform: [100, 1000] }],
])('a delay in a file may be written as %j', (delay, exact) => {
  const scenario = readScenario(ownScenario({ effect: { kind: 'network', fault: 'timeout', delay } }));
  expect(specOf(scenario).delay).toEqual(exact);
});

test.each(['soon', '11m', 'uniform(2s,soon)', 800, { uniform: [100, 900] }])('the delay %j is none', (delay) => {
  const read = () => readScenario(ownScenario({ effect: { kind: 'network', fault: 'timeout', delay } }));
  expect(read).toThrow(/delay` must be/);
});

describe('a scenario of its user', () => {
  const arming: readonly [
    way: string,
    fields: Record<string, unknown>,
    headers: Record<string, string>,
    source: string,
  ][] = [
    ['header', {}, { 'teebox-scenario': 'lost-confirmation' }, 'header'],
    ['name', { contactLastName: 'LOST-CONFIRMATION' }, {}, 'body'],
    ['comment', { comments: '#teebox lost-confirmation' }, {}, 'body'],
    ['plan', {}, {}, 'plan'],
  ];
  test.each(arming)('strikes by %s, in the first phase that it tells', async (way, fields, headers, source) => {
    const { fairway, sandbox } = await open({ ownScenarios: [ownScenario()] });
    if (way === 'plan')
      expect((await adminOf(sandbox)('POST', 'plans', { scenario: 'lost-confirmation' })).status).toBe(200);
    const before = await listedIds(fairway, 'v4');
    const body = bookingFor(await findTeeTime(fairway), fields);
    expect(await postPatiently(fairway, '/api/v5/bookings', body, headers)).toBe('cut');
    expect((await listedIds(fairway, 'v4')).length - before.length).toBe(1);
    expect(sandbox.journal.entries.find(({ method }) => method === 'POST')).toMatchObject({
      state: 'cut',
      scenario: { id: 'lost-confirmation', source, struck: true, phase: 'after-commit', as: 'network error' },
    });
  });

  test('strikes before the commit when told so, and nothing is booked', async () => {
    const { fairway } = await open({ ownScenarios: [ownScenario()] });
    const before = await listedIds(fairway, 'v4');
    const headers = { 'teebox-scenario': 'lost-confirmation; phase=before-commit' };
    const body = bookingFor(await findTeeTime(fairway));
    expect(await postPatiently(fairway, '/api/v5/bookings', body, headers)).toBe('cut');
    expect(await listedIds(fairway, 'v4')).toEqual(before);
  });

  test('does not come before what refuses the booking anyway', async () => {
    const { fairway } = await open({ ownScenarios: [ownScenario()] });
    const body = bookingFor(await findTeeTime(fairway), { contactLastName: 'LOST-CONFIRMATION', course: 'Elsewhere' });
    expect((await fairway.post('/api/v5/bookings', body)).rule).toBe('bookings.request.course');
  });

  test('is listed beside the others, and armed from the start', async () => {
    const { sandbox } = await open({ ownScenarios: [ownScenario()], scenarios: ['lost-confirmation'] });
    expect(sandbox.scenarios.all).toHaveLength(scenarios.length + 1);
    expect(sandbox.scenarios.plans).toMatchObject([{ scenario: 'lost-confirmation', times: 'always' }]);
    const listed = (await adminOf(sandbox)('GET', 'scenarios')).body.scenarios;
    expect(listed.map(({ id }: { id: string }) => id)).toContain('lost-confirmation');
  });

  test('is unknown to a sandbox that was not given it', async () => {
    await open({ ownScenarios: [ownScenario()] });
    const { sandbox } = await open();
    expect(() => sandbox.scenarios.arm('lost-confirmation')).toThrow(/no scenario `lost-confirmation`/);
  });
});

describe('a scenario that cannot be', () => {
  test.each(wrongOnes)('%s', async (_, changes, says) => {
    const one = JSON.parse(JSON.stringify(ownScenario(changes)));
    await expect(open({ ownScenarios: [one] })).rejects.toThrow(says);
  });

  test.each([null, 7, 'lost', [], {}])('%j is none', async (value) => {
    await expect(open({ ownScenarios: [value] })).rejects.toThrow(/^(A scenario|`id`) must be .*; got /);
  });

  test('two of one id, or one of ours', async () => {
    const twice = [ownScenario(), ownScenario()];
    await expect(open({ ownScenarios: twice })).rejects.toThrow(/Two scenarios have the id `lost-confirmation`/);
    const ours = [ownScenario({ id: 'booking-failed' })];
    await expect(open({ ownScenarios: ours })).rejects.toThrow(/Two scenarios have the id `booking-failed`/);
  });
});

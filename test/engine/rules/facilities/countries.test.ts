import { describe, expect } from 'vitest';
import { open } from '../../../support/client.js';
import { versionsWith } from '../../../support/operations.js';
import { rule } from '../../../support/rule.js';
import { type Json, queryText } from '../../../support/scenes.js';
import { countriesOf, facilitiesOf } from '../../../support/contract/lists.js';

const VERSIONS = versionsWith('listCountries');

describe.each(VERSIONS)('%s', (version) => {
  rule(['countries.list', 'countries.response', 'countries.item'], 'is an array of distinct names', async () => {
    const { fairway } = await open();
    const { status, body } = await fairway.get(`/api/${version}/countries`);
    expect(status).toBe(200);
    expect(body.data.length).toBeGreaterThanOrEqual(12);
    expect(body.data.every((name: Json) => typeof name === 'string' && name.trim() === name && name !== '')).toBe(true);
    expect(new Set(body.data).size).toBe(body.data.length);
  });

  rule('countries.connected-only', 'with `connected=true`, those of facilities of the channel', async () => {
    const { fairway, links, caddie } = await open();
    for (const client of [fairway, links, caddie]) {
      const own = [];
      for (const country of await countriesOf(client, version)) {
        if ((await facilitiesOf(client, 'v3', country, true)).length > 0) own.push(country);
      }
      expect(await countriesOf(client, version, true), client.channel).toEqual(own);
    }
    expect(await countriesOf(fairway, version, true)).not.toEqual(await countriesOf(links, version, true));
  });

  rule('countries.connected-subset', 'with `connected=true`, fewer than without, and none that is new', async () => {
    const { links } = await open();
    const all = await countriesOf(links, version);
    const connected = await countriesOf(links, version, true);
    expect(all).toEqual(expect.arrayContaining(connected));
    expect(connected.length).toBeLessThan(all.length);
    expect(await countriesOf(links, version, false)).toEqual(all);
  });

  for (const [query, wanted] of [
    ['connected=maybe', 400],
    ['connected=', 400],
    ['connected=1', 400],
    ['connected=TRUE', 400],
    ['connected=true', 200],
    ['connected=false', 200],
    ['other=1', 200],
  ] as const) {
    rule('countries.query.connected', `${query} gives ${wanted}`, async () => {
      const { fairway } = await open();
      const { status, body, rule: named } = await fairway.get(`/api/${version}/countries?${query}`);
      expect({ status, success: body.success }).toEqual({ status: wanted, success: wanted === 200 });
      if (wanted === 400)
        expect([named, body.message]).toEqual(['countries.query.connected', expect.stringMatching(/`connected`/)]);
    });
  }
});

rule('countries.same-across-versions', 'v2 and v3 list the same, for each channel', async () => {
  const { fairway, links } = await open();
  for (const client of [fairway, links]) {
    for (const connected of [undefined, true, false]) {
      expect(await countriesOf(client, 'v2', connected)).toEqual(await countriesOf(client, 'v3', connected));
    }
  }
});

rule('countries.match-facilities', 'each, sent as it stands, has facilities that lie there', async () => {
  const { fairway } = await open();
  const countries = await countriesOf(fairway, 'v3');
  expect(countries.filter((name) => name.startsWith('the ') || /[^ -~]/.test(name))).toHaveLength(2);
  const ids = new Set<number>();
  for (const country of countries) {
    const { body } = await fairway.get(`/api/v3/facilities?${queryText({ country })}`);
    expect(body.data.length, country).toBeGreaterThan(0);
    for (const { id } of body.data) ids.add(id);
  }
  expect(ids.size).toBeGreaterThanOrEqual(60);
});

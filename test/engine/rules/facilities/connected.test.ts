import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { open } from '../../../support/client.js';
import { countriesOf, facilitiesOf } from '../../../support/contract/lists.js';
import { versionsWith } from '../../../support/operations.js';
import { rule } from '../../../support/rule.js';
import { queryText } from '../../../support/scenes.js';

interface SeededFacility {
  readonly id: number;
  readonly address: { readonly country: string };
  readonly channels: readonly string[];
}

const world: readonly SeededFacility[] = JSON.parse(
  readFileSync(new URL('../../../../fixtures/facilities.json', import.meta.url), 'utf8'),
);
const CONNECTED = [undefined, 'true', 'false'] as const;
const COUNTRY = 'the Netherlands';

/** The facilities of the fixture that a request must find, by its channel and its `connected`. */
const wanted = (channel: string, connected: (typeof CONNECTED)[number]): readonly SeededFacility[] =>
  world.filter(({ channels }) => connected !== 'true' || channels.includes(channel));

describe.each(versionsWith('listCountries'))('countries of %s', (version) => {
  for (const connected of CONNECTED) {
    rule('countries.connected-optional', `connected=${connected ?? '(left out)'} is taken`, async () => {
      const { links } = await open();
      const { status, body } = await links.get(`/api/${version}/countries?${queryText({ connected })}`);
      expect({ status, success: body.success }).toEqual({ status: 200, success: true });
      const want = new Set(wanted('links', connected).map(({ address }) => address.country));
      expect(new Set(body.data)).toEqual(want);
    });
  }

  rule('countries.connected-complete', 'no country of a connected facility is missing', async () => {
    const { fairway, links, caddie } = await open();
    for (const client of [fairway, links, caddie]) {
      const countries = await countriesOf(client, version, true);
      const missing = wanted(client.channel, 'true').filter(({ address }) => !countries.includes(address.country));
      expect(missing.map(({ id }) => id)).toEqual([]);
      expect(countries.length, client.channel).toBeGreaterThan(1);
    }
  });

  rule('countries.no-duplicates', 'a country with several facilities is listed once', async () => {
    const { fairway, links, caddie } = await open();
    for (const client of [fairway, links, caddie]) {
      for (const connected of [undefined, true, false]) {
        const countries = await countriesOf(client, version, connected);
        expect(wanted(client.channel, connected ? 'true' : undefined).length).toBeGreaterThan(countries.length);
        expect(countries).toEqual([...new Set(countries)]);
      }
    }
  });
});

describe.each(versionsWith('listFacilities'))('facilities of %s', (version) => {
  for (const connected of CONNECTED) {
    rule('facilities.connected-optional', `connected=${connected ?? '(left out)'} is taken`, async () => {
      const { links } = await open();
      const query = queryText({ country: COUNTRY, connected });
      const { status, body } = await links.get(`/api/${version}/facilities?${query}`);
      expect({ status, success: body.success }).toEqual({ status: 200, success: true });
      const want = wanted('links', connected).filter(({ address }) => address.country === COUNTRY);
      expect(body.data.map(({ id }: SeededFacility) => id).sort()).toEqual(want.map(({ id }) => id).sort());
    });
  }

  rule('facilities.list.no-duplicates', 'a facility is listed once, also where several channels share it', async () => {
    const { fairway } = await open();
    for (const connected of [undefined, true, false]) {
      const ids: number[] = [];
      for (const country of await countriesOf(fairway, 'v3')) {
        ids.push(...(await facilitiesOf(fairway, version, country, connected)).map(({ id }) => id));
      }
      expect(ids.length).toBeGreaterThan(20);
      expect(ids).toEqual([...new Set(ids)]);
    }
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import openapi from '../../../../src/contract/generated/built/openapi.json' with { type: 'json' };
import { open } from '../../../support/client.js';
import { countriesOf, facilitiesOf } from '../../../support/contract/lists.js';
import { rule } from '../../../support/rule.js';
import type { Json } from '../../../support/scenes.js';

const world: { id: number; channels: string[] }[] = JSON.parse(
  readFileSync(new URL('../../../../fixtures/facilities.json', import.meta.url), 'utf8'),
);
const VERSIONS = ['v1', 'v2', 'v3'];
/** Paths that take the id of a facility. */
const BY_ID = ['v1/facilities', 'v2/facilities', 'v3/facilities', 'v2/facilities/details', 'v3/facilities/details'];
const DUTCH = 'the Netherlands';
const LIST_FIELDS = Object.keys(openapi.components.schemas.FacilityItem.properties).sort();

describe.each(VERSIONS)('the list of %s', (version) => {
  rule(['facilities.list', 'facilities.list.response'], 'is an array of facilities in the list form', async () => {
    const { fairway } = await open();
    const { status, body } = await fairway.get(`/api/${version}/facilities?country=Spain`);
    expect(status).toBe(200);
    expect(body.data.length).toBeGreaterThan(1);
    for (const facility of body.data) expect(Object.keys(facility).sort()).toEqual(LIST_FIELDS);
  });

  for (const [query, at] of [
    ['', 'country'],
    ['country=', 'country'],
    ['Country=Spain', 'country'],
    ['country=Spain&connected=yes', 'connected'],
    ['country=Spain&connected=', 'connected'],
  ] as const) {
    const id = at === 'country' ? 'facilities.query.country' : 'facilities.query.connected';
    rule(id, `?${query} is refused for its ${at}`, async () => {
      const { fairway } = await open();
      const { status, body, rule: named } = await fairway.get(`/api/${version}/facilities?${query}`);
      expect({ status, success: body.success, data: body.data, named }).toEqual({
        status: 400,
        success: false,
        data: null,
        named: id,
      });
      expect(body.message).toContain(`\`${at}\``);
    });
  }

  rule('facilities.query.connected', 'true and false are taken, false as if left out', async () => {
    const { links } = await open();
    expect(await facilitiesOf(links, version, 'Spain', false)).toEqual(await facilitiesOf(links, version, 'Spain'));
    expect(await facilitiesOf(links, version, 'Spain', true)).not.toEqual(await facilitiesOf(links, version, 'Spain'));
  });

  rule('facilities.list.country-only', 'holds facilities of that country alone, and all of them', async () => {
    const { fairway } = await open();
    const seen: number[] = [];
    for (const country of await countriesOf(fairway, 'v3')) {
      const found = await facilitiesOf(fairway, version, country);
      expect([...new Set(found.map(({ address }) => address.country))]).toEqual([country]);
      seen.push(...found.map(({ id }) => id));
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(60);
  });

  rule(['facilities.list.connected-only', 'facilities.list.connected-subset'], '`connected=true`', async () => {
    const { fairway, links, caddie } = await open();
    for (const client of [fairway, links, caddie]) {
      const own = new Set(world.filter(({ channels }) => channels.includes(client.channel)).map(({ id }) => id));
      expect(own.size).toBeGreaterThan(0);
      for (const country of await countriesOf(client, 'v3')) {
        const all = await facilitiesOf(client, version, country);
        const connected = await facilitiesOf(client, version, country, true);
        expect(all).toEqual(expect.arrayContaining(connected));
        expect(connected).toEqual(all.filter(({ id }) => own.has(id)));
      }
    }
  });

  for (const [sent, found] of [
    [DUTCH, true],
    ['Netherlands', false],
    ['The Netherlands', false],
    ['the netherlands', false],
    [`${DUTCH} `, false],
    ['Türkiye', true],
    ['Turkiye', false],
    ['Türkiye'.normalize('NFD'), false],
    ['Spain', true],
    ['spain', false],
    ['Spa', false],
    ['ES', false],
  ] as const) {
    rule('facilities.list.country-as-sent', `"${sent}" is ${found ? '' : 'not '}found`, async () => {
      const { fairway } = await open();
      expect((await facilitiesOf(fairway, version, sent)).length > 0).toBe(found);
    });
  }

  rule('facilities.list.country-as-sent', 'a space may be sent as + too', async () => {
    const { fairway } = await open();
    const plus = await fairway.get(`/api/${version}/facilities?country=the+Netherlands`);
    expect(plus.body.data).toEqual(await facilitiesOf(fairway, version, DUTCH));
  });
});

describe('one facility', () => {
  rule(['facilities.find', 'facilities.by-id-item'], 'by id in v1 and v2, as it stands in the list', async () => {
    const { fairway } = await open();
    for (const version of ['v1', 'v2']) {
      for (const facility of await facilitiesOf(fairway, version, 'Portugal')) {
        const { status, body } = await fairway.get(`/api/${version}/facilities/${facility.id}`);
        expect({ status, data: body.data }).toEqual({ status: 200, data: facility });
      }
    }
  });

  rule(['facilities.find', 'facilities.find.v3'], 'by id in v3: two objects, the facility and its terms', async () => {
    const { fairway } = await open();
    const { status, body } = await fairway.get('/api/v3/facilities/1001');
    expect(status).toBe(200);
    expect(body.data).toHaveLength(2);
    expect(body.data[0].id).toBe(1001);
    expect(Object.keys(body.data[1])).toEqual(['paymentRule', 'applicableForWhitelable']);
  });

  rule('facilities.details', 'verbose in v2 and v3', async () => {
    const { fairway } = await open();
    for (const version of ['v2', 'v3']) {
      const { status, body } = await fairway.get(`/api/${version}/facilities/details/1001`);
      expect({ status, id: body.data.id }).toEqual({ status: 200, id: 1001 });
      expect(Object.keys(body.data)).toEqual(expect.arrayContaining(['services', 'logo', 'images', 'description']));
    }
  });

  rule('facilities.details.not-in-oldest', 'not verbose in v1', async () => {
    const { fairway } = await open();
    expect(await fairway.get('/api/v1/facilities/details/1001')).toMatchObject({ status: 404, rule: 'versions.path' });
  });

  rule('facilities.details.contact-not-in-old', 'with a contact for reservations in v3 alone', async () => {
    const { fairway } = await open();
    const [old, current] = await Promise.all(
      ['v2', 'v3'].map(async (version) => (await fairway.get(`/api/${version}/facilities/details/1001`)).body.data),
    );
    const { reservationsContact, ...rest } = current;
    expect(reservationsContact.email).toMatch(/@/);
    expect(rest).toEqual(old);
  });

  rule('facilities.address.by-id-only', 'shows its place on the map in the address by id in v3 alone', async () => {
    const { fairway } = await open();
    const address = async (path: string, pick: (data: Json) => Json) =>
      Object.keys(pick((await fairway.get(path)).body.data).address).filter((name) =>
        ['mid', 'latitude', 'longitude', 'region'].includes(name),
      );
    expect((await address('/api/v3/facilities/1001', ([first]) => first)).sort()).toEqual([
      'latitude',
      'longitude',
      'mid',
      'region',
    ]);
    for (const version of VERSIONS) {
      expect(await address(`/api/${version}/facilities?country=Spain`, ([first]) => first)).toEqual([]);
    }
    for (const path of [
      '/api/v1/facilities/1001',
      '/api/v2/facilities/1001',
      '/api/v2/facilities/details/1001',
      '/api/v3/facilities/details/1001',
    ]) {
      expect(await address(path, (data) => data), path).toEqual([]);
    }
  });

  for (const sent of ['abc', '1.5', '1e3', '0x3e9', '-', '1001x', '%20']) {
    rule('facilities.path.facilityId', `"${sent}" is no id`, async () => {
      const { fairway } = await open();
      for (const path of BY_ID) {
        const reply = await fairway.get(`/api/${path}/${sent}`);
        expect(reply, path).toMatchObject({ status: 400, rule: 'facilities.path.facilityId' });
        expect(reply.body.message).toContain('`facilityId`');
      }
    });
  }

  rule('facilities.same-across-versions', 'has one id, name, website and e-mail everywhere', async () => {
    const { fairway } = await open();
    const pick = ({ id, name, website, email }: Json) => ({ id, name, website, email });
    for (const listed of await facilitiesOf(fairway, 'v1', 'France')) {
      const seen = [];
      for (const version of VERSIONS) {
        const again = (await facilitiesOf(fairway, version, 'France')).find(({ id }) => id === listed.id);
        seen.push(
          pick(again),
          pick([(await fairway.get(`/api/${version}/facilities/${listed.id}`)).body.data].flat()[0]),
        );
      }
      for (const version of ['v2', 'v3']) {
        seen.push(pick((await fairway.get(`/api/${version}/facilities/details/${listed.id}`)).body.data));
      }
      for (const one of seen) expect(one).toEqual(pick(listed));
    }
  });

  rule('facilities.list-finds', 'each of a list is found, connected or not', async () => {
    const { links } = await open();
    const ids = (await facilitiesOf(links, 'v3', DUTCH)).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan((await facilitiesOf(links, 'v3', DUTCH, true)).length);
    for (const path of BY_ID) {
      for (const id of ids) expect((await links.get(`/api/${path}/${id}`)).status, `${path} ${id}`).toBe(200);
    }
  });
});

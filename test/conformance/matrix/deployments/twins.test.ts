/** Twins of a deployment in each of its lawful variants, of one day. */
import { expect, test } from 'vitest';
import { makeTwin } from '../../../../src/cli/twin/make-twin.js';
import { shareOf } from '../../../../src/cli/twin/proof.js';
import { deployIndependent } from '../../independent/run.js';
import { channels } from '../../independent/desk.js';
import { lawful } from '../../independent/lawful/index.js';

/** Variants that a world file cannot express, and why. */
const unlike: Readonly<Record<string, string>> = {
  'zone as an offset': 'a world has zones of IANA',
  'zone by another list': 'a world has zones of IANA',
  'prices in another currency than that of the facility': 'a facility has one currency',
  'numbers of players in words': 'numbers are written as digits',
  'createdAt with an offset': 'facilities have the zone of bookings',
  'createdAt in UTC': 'facilities have the zone of bookings',
  'another spelling of countries in addresses': 'a country has one name',
  'another spelling in prices': 'a country has one name',
  'empty availability': 'price records have the tee times on sale',
  'more fields everywhere': 'members of no documented form are not copied',
  'linked products with ids': 'linked products are not read',
  'amounts with three decimals': 'amounts have two decimals',
  'prices with cents': 'yen have no decimals',
  'the evening is cheaper': 'a product has one price a day',
  'prices for the places that are free': 'all versions have the same steps',
  'v3 searches with products': 'a version has the documented form',
  'details of connected facilities alone': 'every facility can be read by its id',
  'v2 does not narrow its tee times by `players`': 'every version narrows its tee times',
};

const DAY = 86_400_000;

test.each(lawful.map((one) => [one.name, one] as const))('%s', async (name, { change, options: told = {} }) => {
  const { options } = deployIndependent(change);
  const { second: _, receiver: __, ...own } = options;
  const first = { ...own.first, refreshToken: channels[0]!.refreshToken };
  const from = new Date(options.host.now() + 11 * DAY).toISOString().slice(0, 10);
  const { proof } = await makeTwin({ ...own, first, ...told, from, to: from });
  const { read, other, differences } = proof!;
  const isLike = shareOf(read) >= 99 && shareOf(other) >= 95;
  const shown = differences.map(({ operation, field, answers }) => `${operation} ${field} ${answers}`);
  expect({ isLike, shown }).toEqual({ isLike: !(name in unlike), shown: isLike ? shown : expect.anything() });
});

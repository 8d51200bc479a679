import { describe, expect, test } from 'vitest';
import { createSandbox, createWorlds, ValidationError } from '../../src/engine/library.js';
import { scenarios } from '../../src/contract/generated/scenarios.js';
import { open } from '../support/client.js';

const options = ['seed', 'facilities', 'now', 'clock', 'dialect', 'scenarios', 'ownScenarios', 'magic', 'state'];

describe('an option that is not known is an error that lists what fits', () => {
  const table: readonly { readonly given: object; readonly says: string }[] = [
    { given: { sed: 4 }, says: 'has no option `sed`. Did you mean `seed`?' },
    { given: { seed: 4, Magic: false }, says: 'has no option `Magic`. Did you mean `magic`?' },
    { given: { toString: 1 }, says: 'has no option `toString`. The options are seed, ' },
    { given: { storms: undefined }, says: 'has no option `storms`.' },
  ];
  for (const make of [createSandbox, createWorlds]) {
    test.each(table)(`${make.name}: $says`, async ({ given, says }) => {
      const error: unknown = await make(given).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ValidationError);
      expect((error as ValidationError).message).toContain(`\`${make.name}\` ${says}`);
      expect((error as ValidationError).fits).toEqual(expect.arrayContaining(options));
    });
  }

  test('what only the worlds of a server have is unknown to a sandbox', async () => {
    const bounds: object = { maxWorlds: 3 };
    await expect(createSandbox(bounds)).rejects.toThrow('has no option `maxWorlds`');
    expect(await createWorlds(bounds)).toHaveProperty('main');
  });
});

describe('hosts for callbacks that do not fit are an error that says what does', () => {
  const values: readonly unknown[] = [() => true, 'partner.example', true, 7, {}, [7], ['partner.example', null]];
  const rows = values.map((allowCallback) => ({ allowCallback }));
  for (const make of [createSandbox, createWorlds]) {
    test.each(rows)(`${make.name}: $allowCallback`, async ({ allowCallback }) => {
      const error: unknown = await make({ allowCallback } as object).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ValidationError);
      expect((error as ValidationError).message).toMatch(
        /^`allowCallback` must be a list of hosts, such as \[.+\], or "any"; got /,
      );
    });
  }

  test.each([[], ['partner.example'], 'any', undefined].map((allowCallback) => ({ allowCallback })))(
    '$allowCallback',
    async ({ allowCallback }) => {
      expect(await createSandbox({ allowCallback } as object)).toHaveProperty('fetch');
    },
  );
});

describe('a scenario that is not known is an error that lists what fits', () => {
  const ids = scenarios.map(({ id }) => id);
  test.each(['payment-pi-faild', 'Slow', '', 'toString'])('%j', async (id) => {
    const { sandbox } = await open();
    const arm = () => sandbox.scenarios.arm(id);
    expect(arm).toThrow(ValidationError);
    expect(arm).toThrow(`There is no scenario \`${id}\``);
    expect(arm).toThrow(expect.objectContaining({ fits: ids }));
    await expect(createSandbox({ scenarios: [id] })).rejects.toThrow(ValidationError);
  });
});

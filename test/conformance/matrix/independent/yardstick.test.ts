import { describe, expect, test } from 'vitest';
import { complaintsOf } from '../../full-run.js';
import { everything, trialOf } from '../../independent/run.js';
import * as arrays from '../../yardstick/arrays/index.js';
import * as structs from '../../yardstick/structs/index.js';

describe.each([
  ['arrays', arrays],
  ['structs', structs],
])('the deployment with %s', (_, { channels, deploy }) => {
  const all = everything(channels);

  test.each([
    ['reading', {}],
    ['with everything allowed', all],
  ])('conforms as it is: %s', async (_, options) => {
    expect(complaintsOf(await trialOf((around) => deploy(around), channels).check(options))).toEqual([]);
  });
});

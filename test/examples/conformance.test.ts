import { createSandbox } from 'teebox';
// #region conformance
import { registerRules, webHost } from 'teebox/conformance';
import { test } from 'vitest';

const service = await createSandbox(); // replace this with your service
const { username, password } = service.channels[0]!;

registerRules(test, {
  baseUrl: 'http://service.test',
  first: { basic: { username, password } },
  host: webHost({ now: Date.now, random: Math.random, fetch: service.fetch }),
  only: ['countries.*', 'facilities.*'],
});
// #endregion

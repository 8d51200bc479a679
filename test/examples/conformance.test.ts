import { createSandbox } from 'teebox';
// #region conformance
import { registerRules, webHost } from 'teebox/conformance';
import { test } from 'vitest';

const service = await createSandbox(); // in your place: what answers the requests of your service
const { username, password } = service.channels[0]!;

registerRules(test, {
  baseUrl: 'http://service.test',
  first: { basic: { username, password } },
  host: webHost({ now: Date.now, random: Math.random, fetch: service.fetch }),
  only: ['countries.*', 'facilities.*'],
});
// #endregion

import { expect, test } from 'vitest';
import { deploy, idsWith, type Layer, resultOf } from '../../deployment.js';
import { everything } from '../../full-run.js';

/** What stands before many services: it ends the connection in the middle of a large body. */
const hangsUp: Layer = async (request, through) => {
  const { size } = await request.clone().blob();
  if (size > 65_536) throw new TypeError('fetch failed', { cause: { code: 'EPIPE' } });
  return through(request);
};

test('a deployment that hangs up on large bodies costs no rule but the one about them', async () => {
  const [plain, hanging] = await Promise.all([deploy(), deploy({}, hangsUp)]);
  const [want, report] = await Promise.all([plain, hanging].map(({ sandbox, check }) => check(everything(sandbox))));
  expect(resultOf(report!, 'limits.body-size')).toMatchObject({ verdict: 'inconclusive' });
  const others = idsWith(report!, 'inconclusive').filter((id) => id !== 'limits.body-size');
  expect(others).toEqual(idsWith(want!, 'inconclusive'));
  expect(report!.litter.filter(({ kind }) => kind === 'perhaps').length).toBeLessThan(5);
});

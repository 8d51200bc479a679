import { expect, test } from 'vitest';
import type { RuleId } from '../../../src/contract/generated/rule-basis.js';
import { deploy, resultOf } from '../deployment.js';

const probing: readonly RuleId[] = [
  'search.query.facilityIds',
  'search.query.fromDate',
  'search.query.toDate',
  'search.query.players',
  'search.query.holes',
  'search.query.callbackUrl',
  'search.query.form',
];
/** Searches that are accepted before any is probed. */
const ACCEPTED = 2;

test.each(probing)('%s rests on a right search after its probes', async (id) => {
  const { check } = await deploy();
  expect(resultOf(await check({ allow: ['callbacks'], only: [id] }), id).verdict).toMatch(/pass|observed/);

  let searches = 0;
  const { check: again } = await deploy({}, async (request, through) => {
    if (new URL(request.url).pathname.endsWith('/v5/teetimes')) searches += 1;
    if (searches <= ACCEPTED) return through(request);
    return Response.json({ success: false, data: null, message: 'Enough.' }, { status: 400 });
  });
  const result = resultOf(await again({ allow: ['callbacks'], only: [id] }), id);
  expect(result).toMatchObject({ verdict: 'inconclusive', reason: 'control-failed' });
});

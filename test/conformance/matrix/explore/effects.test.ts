import { afterAll, expect, test } from 'vitest';
import { exploreSandbox, storiesOf } from '../../explore/deployments.js';
import { factsOf } from '../../explore/everyday.js';
import { mutants } from '../../mutants/index.js';

/** The rules of what a booking, a payment or a cancellation changes, and of what it leaves alone. */
const effects =
  /^(bookings\.(effect\.|status\.|cancel\.|create\.(unique-id|multiple)|list\.(canceled-included|channel-scope|same-across-versions))|payments\.(keeps-booking|channel-scope))/;
/** Walks send writes at the same time, and no reads. */
const ofReadsAtOnce = /lists that are read at once|ask for one list at once/;
const planted = mutants.filter(({ rule, defect }) => effects.test(rule) && !ofReadsAtOnce.test(defect));

/** A walk decides by chance what it does: `TEEBOX_SEED=7` takes others. */
const SEED = Number(process.env['TEEBOX_SEED'] ?? 1);
const missed: string[] = [];

test.each(planted)('walks find what $rule finds: $defect', async ({ rule, defect, layer, settings }) => {
  const result = await exploreSandbox({ seed: SEED, maxFindings: 1, shrink: 0 }, settings, layer);
  const found = result.findings.find(({ counts }) => counts);
  const names = rule === 'bookings.effect.availability' ? factsOf.slots : /./;
  if (!found || !names.test(found.fact)) missed.push([`${rule}: ${defect}`, ...storiesOf(result)].join('\n'));
  if (process.env['TEEBOX_SHOW']) console.log(`${rule}: ${defect}: ${result.walks} walks, ${found?.message}`);
});

/** Of the mutants of these rules, so many may be missed. */
const MOST_MISSED = 2;
afterAll(() => expect(missed.length, missed.join('\n\n')).toBeLessThanOrEqual(MOST_MISSED));

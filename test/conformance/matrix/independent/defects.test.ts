/** @module-tag always */
import { expect, test } from 'vitest';
import type { CheckEvent, RuleResult } from '../../../../src/conformance/client/types.js';
import { decisiveOf } from '../../../../src/conformance/report/check-report.js';
import { type RecordedRun, Recorder } from '../../../../src/conformance/report/recorder.js';
import { valueText } from '../../../../src/conformance/run/summary/values.js';
import { rules } from '../../../../src/contract/generated/built/catalogue.js';
import { beside } from '../../independent/beside.js';
import { defects } from '../../independent/defects/index.js';
import type { Defect } from '../../independent/defects/row.js';
import { all, deployIndependent } from '../../independent/run.js';

/** The rules that are to name a defect; the others would only take their time. */
const naming = (names: RegExp): string[] => rules.map(({ id }) => id).filter((id) => names.test(id));

/** Mistakes that no rule finds yet. */
const unseen: readonly string[] = [
  // The API specification leaves the order of the price records open.
  'pages in an order of chance',
];
const wanted = defects.filter(({ name }) => !unseen.includes(name));

/**
 * Defects of which neither request of some finding is the wrong one: it is a symptom, or only a third answer could tell which
 * is right. The list may become shorter, and no longer.
 */
const eitherOfTwo: readonly string[] = [
  'a byte order mark',
  'a group answers ids alone',
  'a lifetime in minutes',
  'a refresh gives the same access token',
  'a refresh gives the same token back',
  'a refused group takes places',
  'a search for nine holes finds nothing',
  'access tokens never expire',
  'an id for two tee times',
  'as many places as were asked for',
  'bookings are made at the time of play',
  'bookings of a group in another order',
  'bookings of every channel in v1',
  'cancelling keeps the booking active',
  'connected is turned round',
  'connected=false counts as true',
  'courses by another id',
  'groups share their number',
  'more than four places',
  'offset begins with one',
  'products of a tee time differ in their places',
  'the ids of a group changed over',
  'the new refresh token does not work',
  'the price list gives the second course the id of the first',
  'v2 lists the bookings of the first channel to the second',
  'v2 takes expired tokens',
];

interface Trial {
  readonly isFound: boolean;
  /** What is wrong with the findings themselves. */
  readonly faults: readonly string[];
}

async function run({ name, change, how, isMinor }: Defect, only?: readonly string[]): Promise<Trial> {
  const differing = new Set<string>();
  const recorder = new Recorder();
  const onEvent = (event: CheckEvent): void => recorder.onEvent(event);
  const options = { ...(how === 'reading' ? {} : all), ...(only ? { only, depth: 'quick' as const } : {}), onEvent };
  const { exitCode, counts, rules } = await deployIndependent(change, beside(differing)).check(options);
  const findings = rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  const faults = findings.flatMap((one) => [...againFaults(name, one, recorder.run, differing), ...wordFaults(one)]);
  return { isFound: isMinor ? counts.warn > 0 : exitCode === 1, faults };
}

/**
 * A request of the finding is answered by a right deployment in another way, the one that repeats it or the one beside it,
 * or it starts the search that is wrong.
 */
function againFaults(
  name: string,
  result: RuleResult,
  record: RecordedRun,
  differing: ReadonlySet<string>,
): readonly string[] {
  const { id, shownBy = '', against = '' } = result;
  const again = decisiveOf(result, record);
  if ((again && differing.has(again.id)) || differing.has(against)) return [];
  // What is posted, or not, is no answer to a request.
  const isOfResult = shownBy.startsWith('c') || /^(callback|search)\./.test(id);
  if (isOfResult && again?.operation === 'v5.searchTeeTimes') return [];
  if (eitherOfTwo.includes(name)) return [];
  return [
    `${id}: again is ${again?.id} ${again?.request.method} ${again?.request.url}, which a right deployment answers alike`,
  ];
}

function wordFaults({ id, message, expected, actual }: RuleResult): readonly string[] {
  const [due, came] = [expected, actual].map((value) => (value === undefined ? '' : valueText(value)));
  const odd: readonly (readonly [text: string | undefined, form: RegExp])[] = [
    [due, /"?(missing|unexpected|oneOf)"?:|^\[\]$|one of $|\[\]\}|\\d|\(\?|\^/],
    [came, /"(missing|unexpected|oneOf)":|one of/],
    [message, /must match pattern|allowed values|undefined|NaN|\[object/],
  ];
  return odd.flatMap(([text, form]) => (text !== undefined && form.test(text) ? [`${id}: ${text}`] : []));
}

// Some are seen only among the requests of a whole run.
test.each(wanted.map((one) => [one.name, one] as const))('the suite finds, and shows: %s', async (_, one) => {
  const named = await run(one, naming(one.names));
  const { isFound, faults } = named.isFound ? named : await run(one);
  expect({ isFound, faults: [...named.faults, ...faults] }).toEqual({ isFound: true, faults: [] });
});

for (const name of unseen) test.todo(`the suite finds: ${name}`);

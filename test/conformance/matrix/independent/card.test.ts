import { expect, test } from 'vitest';
import type { Exchange } from '../../../../src/conformance/client/exchange.js';
import { Recorder } from '../../../../src/conformance/report/recorder.js';
import type { Report } from '../../../../src/conformance/client/types.js';
import type { CheckOptions } from '../../../../src/conformance/run/check-options.js';
import { dialectOf, fullRun, wrongIn } from '../../full-run.js';
import { all, deployIndependent, everything, trialOf } from '../../independent/run.js';
import * as arrays from '../../yardstick/arrays/index.js';
import * as structs from '../../yardstick/structs/index.js';

type Options = Partial<CheckOptions>;
type Deployed = (options: Options) => Promise<Report>;

const yardstick =
  ({ channels, deploy }: typeof arrays | typeof structs): Deployed =>
  (options) =>
    trialOf((around) => deploy(around), channels).check({ ...everything(channels), ...options });

/** What became of the requests of a rule: `v5.createBooking refused`. Each run has its own facilities and days. */
type Outcomes = ReadonlyMap<string, ReadonlySet<string>>;

async function outcomesOf(run: Deployed): Promise<{ readonly report: Report; readonly outcomes: Outcomes }> {
  const recorder = new Recorder();
  const report = await run({ onEvent: (event) => recorder.onEvent(event) });
  const outcomeOf = ({ operation, response }: Exchange): string[] => {
    if (operation === undefined || response === undefined) return [];
    const isRefused = response.status >= 400 || /"success":\s*false/.test(response.body);
    return [`${operation} ${isRefused ? 'refused' : 'accepted'}`];
  };
  const outcomes = report.rules.map(({ id, exchanges }) => {
    const known = exchanges.flatMap((exchange) => recorder.run.exchanges.get(exchange) ?? []);
    return [id, new Set(known.flatMap(outcomeOf))] as const;
  });
  return { report, outcomes: new Map(outcomes) };
}

const operationIn = (outcome: string): string => outcome.split(' ')[0]!;

/** What one of two runs alone has seen, by rule: with operations that both asked, and with others, which tell nothing. */
function compared(there: Outcomes, here: Outcomes) {
  const differing: string[] = [];
  const apart: string[] = [];
  for (const [rule, deployment] of there) {
    const sandbox = here.get(rule)!;
    for (const [who, seen, other] of [
      ['deployment', deployment, sandbox],
      ['sandbox', sandbox, deployment],
    ] as const) {
      const known = new Set([...other].map(operationIn));
      for (const one of [...seen].filter((outcome) => !other.has(outcome))) {
        (known.has(operationIn(one)) ? differing : apart).push(`${rule}: ${one} by the ${who} only`);
      }
    }
  }
  return { differing, apart };
}

/** Names of other players of another type than text are accepted there: no question is about it. */
const anyNames = ['firstName', 'lastName'].map(
  (field) => `bookings.request.additionalPlayers.${field}: v3.createBulkBooking refused by the sandbox only`,
);

test.each<[name: string, run: Deployed, noQuestion: readonly string[]]>([
  ['the first', (options) => deployIndependent().check({ ...all, ...options }), []],
  ['that of arrays', yardstick(arrays), anyNames],
  ['that of structs', yardstick(structs), []],
])('a sandbox with the card of a deployment accepts and refuses what it did: %s', async (_, run, noQuestion) => {
  const there = await outcomesOf(run);
  const { answers } = there.report.dialect;
  const bearerHeader = answers['auth.bearer-header'];
  const here = await outcomesOf((options) =>
    fullRun(dialectOf(answers), { ...options, ...(bearerHeader === undefined ? {} : { bearerHeader }) }),
  );
  const { differing, apart } = compared(there.outcomes, here.outcomes);
  expect(differing).toEqual(noQuestion);
  // Rules that read more where the material is on another day, or name other answers of many; one books only where a facility
  // is far from UTC.
  expect(apart.filter((one) => !/listTeeTimes|listFacilities|findFacility|time-borders/.test(one)).length).toBeLessThan(
    5,
  );
  expect(wrongIn(answers, here.report.dialect.answers)).toEqual({});
});

import { exploreDeployment } from '../../../src/conformance/explore/explore.js';
import type { Exploration, ExploreOptions } from '../../../src/conformance/explore/options.js';
import { flat } from '../../../src/conformance/explore/steps.js';
import { all, deployIndependent, everything, trialOf } from '../independent/run.js';
import { defects as independent } from '../independent/defects/index.js';
import * as arrays from '../yardstick/arrays/index.js';
import * as structs from '../yardstick/structs/index.js';
import { defective } from './defective.js';
import { defects } from './defects.js';
import { exploreSandbox } from './deployments.js';
import { everyday, factsOf } from './everyday.js';

type Run = (limits: Partial<ExploreOptions>) => Promise<Exploration>;

const deletes = { dialect: { answers: { 'booking.cancel': 'delete' } } } as const;
const yardstick =
  ({ channels, deploy, regressions }: typeof arrays | typeof structs) =>
  (name: string): Run => {
    if (!regressions.some((one) => one.name === name)) throw new Error(`There is no regression: ${name}`);
    const { options } = trialOf((around) => deploy(around, new Set([name])), channels);
    return (limits) => exploreDeployment({ ...options, ...everything(channels), ...limits });
  };

/** How each deployment is explored with one of its defects. */
const deployments: Readonly<Record<keyof typeof everyday | 'sandbox', (name: string) => Run>> = {
  sandbox: (name) => (limits) => exploreSandbox(limits, deletes, defective(defects[name]!)),
  arrays: yardstick(arrays),
  structs: yardstick(structs),
  plain(name) {
    const { options } = deployIndependent(independent.find((one) => one.name === name)!.change);
    return (limits) => exploreDeployment({ ...options, ...all, ...limits });
  },
};

/** A defect, the deployment that has it, and the facts of a finding that names it. */
type Planted = readonly [of: keyof typeof deployments, name: string, facts: RegExp];

const inSandbox = Object.keys(defects).map((name): Planted => ['sandbox', name, /./]);
const inOthers = (Object.keys(everyday) as (keyof typeof everyday)[]).flatMap((of) =>
  Object.entries(everyday[of]).flatMap(([kind, names]) =>
    names.map((name: string): Planted => [of, name, factsOf[kind as keyof typeof factsOf]]),
  ),
);

/** A half of the defects: each half is a file, so that both run at the same time. */
export function half(part: 0 | 1): readonly Planted[] {
  return [...inSandbox, ...inOthers].filter((_, at) => at % 2 === part);
}

/** Planted defects may need luck; everyday ones are to be found sooner than in as many walks as a run takes by default. */
const [WALKS, EVERYDAY_WALKS, STEPS] = [200, 50, 24];
/** Requests after which a defect counts as missed, so that a rare one does not take a minute. */
const REQUESTS = 10_000;

/** What an exploration finds of a defect: up to its first finding. */
export interface PlantedFinding {
  readonly walks: number;
  /** Whether a small walk shows it, and names what is wrong. */
  readonly isSmall: boolean;
  readonly text: string;
}

/** Calls of a walk that is small. */
const MOST_CALLS = 5;

export async function findingOf([of, name, facts]: Planted): Promise<PlantedFinding> {
  const seed = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7);
  const most = { maxFindings: 1, maxRequests: REQUESTS, maxBookings: 5000 };
  const limits = { seed, walks: of === 'sandbox' ? WALKS : EVERYDAY_WALKS, steps: STEPS, ...most };
  const { findings, walks, notes } = await deployments[of](name)(limits);
  const first = findings.find(({ counts }) => counts);
  const calls = first ? flat(first.walk.steps).length : Infinity;
  const story = first ? [first.id, ...first.story] : notes;
  const isSmall = first !== undefined && calls <= MOST_CALLS && facts.test(first.fact);
  return { walks, isSmall, text: [`${of}: ${name} (${walks} walks, ${calls} calls)`, ...story].join('\n') };
}

/** The share of the defects that may be missed, or not be made small. */
export const MOST_MISSED = 0.1;

import type { AdminType } from '../../data/api.js';

/** A scenario, as `GET scenarios` lists it. */
export type ListedScenario = AdminType<'Scenario'>;
export type ListedPlan = AdminType<'Plan'>;
export type PhaseName = keyof ListedScenario['after'];

/** The phases in words. */
export const phaseWords: Readonly<Record<PhaseName, string>> = {
  'before-commit': 'Before the commit',
  'after-commit': 'After the commit',
};

/** The kinds of scenarios; each scenario is of the first that fits. */
const kinds: readonly (readonly [title: string, fits: (scenario: ListedScenario) => boolean])[] = [
  ['Refused bookings', ({ effect, checkpoint }) => effect.kind === 'refusal' && checkpoint !== 'arrival'],
  ['Outages', ({ effect }) => effect.kind === 'refusal'],
  ['Lost credentials', ({ effect, checkpoint }) => effect.kind === 'change' && checkpoint !== 'hold'],
  ['Changes by others', ({ effect }) => effect.kind === 'change'],
  ['Network faults', ({ effect }) => effect.kind === 'network'],
  ['Callback faults', () => true],
];

export interface ScenarioGroup {
  readonly title: string;
  readonly scenarios: readonly ListedScenario[];
}

export function kindOf(scenario: ListedScenario): string {
  return kinds.find(([, fits]) => fits(scenario))![0];
}

/** The scenarios that have every word of a filter, by kind. */
export function grouped(scenarios: readonly ListedScenario[], filter: string): readonly ScenarioGroup[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = scenarios.filter((one) => words.every((word) => textOf(one).includes(word)));
  return kinds
    .map(([title]) => ({ title, scenarios: found.filter((one) => kindOf(one) === title) }))
    .filter((group) => group.scenarios.length > 0);
}

function textOf(scenario: ListedScenario): string {
  const { id, title, means, after, operations, checkpoint, effect, status } = scenario;
  // Where there is no choice, the phase tells one scenario from no other.
  const isChoice = phasesOf(scenario).length > 1;
  const phases = phasesOf(scenario).map((phase) => `${isChoice ? phaseWords[phase] : ''} ${after[phase]}`);
  const { kind, ...what } = effect;
  const texts = [
    id,
    title,
    kindOf(scenario),
    means,
    ...operations,
    checkpoint,
    kind,
    ...Object.values(what),
    status,
    ...phases,
  ];
  return texts.join(' ').toLowerCase();
}

/** The phases of a scenario; the first one is the default. */
export function phasesOf({ after }: ListedScenario): readonly PhaseName[] {
  return Object.keys(after) as PhaseName[];
}

import type { ListedScenario, PhaseName } from './catalogue.js';

/** What becomes of a request at one place of its way. */
export type PlaceState = 'passed' | 'triggered' | 'skipped' | 'failed' | 'open';

/** A place on the way of a request. */
export interface WayPlace {
  readonly id: string;
  readonly title: string;
  readonly state: PlaceState;
  /** What is triggered here, or what comes out of it. */
  readonly note?: string | undefined;
  /** The steps within, one of which may trigger it. */
  readonly steps?: readonly WayPlace[];
}

type WayName = readonly [id: string, title: string];
type ScenarioEffect = ListedScenario['effect'];

const begin: readonly WayName[] = [
  ['arrival', 'Arrival'],
  ['credentials', 'Credentials'],
  ['checks', 'Checks'],
];
const answer: WayName = ['answer', 'Answer'];
const change: WayName = ['change', 'Changes by others'];

const ways = {
  booking: [...begin, change, ['steps', 'Booking steps'], ['commit', 'Commit'], answer],
  search: [...begin, ['commit', 'Search'], answer, ['callback', 'Callback']],
  'token refresh': [begin[0]!, begin[2]!, change, ['commit', 'New tokens'], answer],
  request: [...begin, ['commit', 'Work'], answer],
} as const satisfies Readonly<Record<string, readonly WayName[]>>;

const steps: readonly (readonly [id: ListedScenario['checkpoint'], title: string])[] = [
  ['hold', 'Hold'],
  ['tee-sheet', 'Tee sheet'],
  ['first-payment', 'First payment'],
  ['transfer', 'Transfer'],
  ['second-payment', 'Second payment'],
  ['confirm', 'Confirmation'],
];

/** A booking shows the most, so it stands for every operation that a scenario applies to. */
function wayOf({ operations }: ListedScenario): keyof typeof ways {
  if (operations.some((one) => one === '*' || one.startsWith('create'))) return 'booking';
  if (operations.every((one) => one === 'searchTeeTimes')) return 'search';
  return operations.every((one) => one === 'refreshToken') ? 'token refresh' : 'request';
}

/** Where a scenario is triggered: after the commit, it can only affect the response. */
function placeOf({ checkpoint, effect }: ListedScenario, phase: PhaseName): string {
  if (effect.kind === 'callback') return 'callback';
  if (effect.kind === 'change') return checkpoint === 'credentials' ? checkpoint : 'change';
  return phase === 'after-commit' ? 'answer' : checkpoint;
}

/** What becomes of the places after the trigger. After a change, the service decides as for any request. */
function stateAfter(effect: ScenarioEffect): PlaceState {
  if (effect.kind === 'change') return 'open';
  return effect.kind === 'callback' || isDelay(effect) ? 'passed' : 'skipped';
}

function isDelay(effect: ScenarioEffect): boolean {
  return effect.kind === 'network' && effect.fault === 'slow';
}

/** What is triggered, in a word of the API. */
function effectName(effect: ScenarioEffect): string {
  if (effect.kind === 'refusal') return effect.code;
  return effect.kind === 'change' ? effect.change : effect.fault;
}

/** How the answer differs if the scenario was triggered before it. */
function answerAfter({ effect, status }: ListedScenario): string | undefined {
  if (effect.kind === 'refusal') return String(status);
  if (effect.kind === 'change') return 'as things are now';
  if (effect.kind === 'callback') return undefined;
  return isDelay(effect) ? 'late' : 'none';
}

/** The way of a request, with the place at which a scenario is triggered in a phase. */
export function drawWay(scenario: ListedScenario, phase: PhaseName) {
  const { effect, status } = scenario;
  const of = wayOf(scenario);
  const at = placeOf(scenario, phase);
  let over = false;
  const walk = ([id, title]: WayName): WayPlace => {
    if (id === at) {
      over = true;
      const code = id === 'answer' && effect.kind === 'refusal' ? `${status} ` : '';
      return { id, title, state: 'triggered', note: code + effectName(effect) };
    }
    const state = over ? stateAfter(effect) : 'passed';
    if (id !== 'answer' || !over) return { id, title, state };
    const failed = effect.kind === 'refusal';
    return { id, title, state: failed ? 'failed' : state, note: answerAfter(scenario) };
  };
  const places = ways[of].map((named): WayPlace => {
    if (named[0] !== 'steps') return walk(named);
    const inner = steps.map(walk);
    const hit = inner.find(({ state }) => state === 'triggered');
    return { ...(hit ?? { id: 'steps', title: named[1], state: inner[0]!.state }), steps: inner };
  });
  return { of, places };
}

import type { AdminType } from '../../data/api.js';
import { triggeredScenario } from './words.js';

type RequestView = AdminType<'RequestView'>;
type PlanBody = AdminType<'PlanRequest'>;

/** A condition of a plan that a request fulfils. */
export interface Condition {
  readonly name: string;
  readonly value: string | number;
  /** Whether it is a member of the plan, or a field of the body to match. */
  readonly of: 'plan' | 'match';
  readonly on: boolean;
}

const usual = ['operation', 'channel', 'facilityId'] as const;
const exact = ['players', 'teeId', 'productId'] as const;

/** The conditions that a request fulfils: those that are on let similar requests fail too, the others only its like. */
export function conditionsOf({ operation, channel, request }: RequestView): readonly Condition[] {
  const booking = firstBooking(request.body);
  const values: Readonly<Record<string, unknown>> = { operation, channel, facilityId: booking['facilityId'] };
  const listed = (
    names: readonly string[],
    from: Readonly<Record<string, unknown>>,
    of: Condition['of'],
    on: boolean,
  ) =>
    names.flatMap((name): Condition[] => {
      const value = from[name];
      return typeof value === 'string' || typeof value === 'number' ? [{ name, value, of, on }] : [];
    });
  return [...listed(usual, values, 'plan', true), ...listed(exact, booking, 'match', false)];
}

/** The body, or the first booking in it. */
function firstBooking(body: unknown): Readonly<Record<string, unknown>> {
  const whole = Array.isArray(body) ? (body as unknown[])[0] : body;
  if (typeof whole !== 'object' || whole === null) return {};
  const { details } = whole as { details?: unknown };
  return { ...(Array.isArray(details) ? (details[0] as object) : {}), ...whole };
}

/** The plan with the conditions that are on. */
export function planOf(view: RequestView, scenario: string, conditions: readonly Condition[], times: string): PlanBody {
  const chosen = (of: Condition['of']) =>
    Object.fromEntries(conditions.filter((one) => one.on && one.of === of).map(({ name, value }) => [name, value]));
  const match = chosen('match');
  const phase = triggeredScenario(view) === scenario ? view.scenario?.phase : undefined;
  return {
    scenario,
    ...(phase && { phase }),
    ...chosen('plan'),
    ...(Object.keys(match).length > 0 && { match }),
    ...(times === 'always' && { times }),
  } as PlanBody;
}

/** How many words of the response a scenario has: several are refusals of one status. */
export function likeness(
  { id, title, means }: Pick<AdminType<'Scenario'>, 'id' | 'title' | 'means'>,
  view: RequestView,
): number {
  const said = wordsIn(JSON.stringify(view.response?.body ?? '').replace(/Please .*/, ''));
  return [...wordsIn(`${id} ${title} ${means}`)].filter((word) => said.has(word)).length;
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[a-z]{4,}/g));
}

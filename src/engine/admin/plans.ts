import type { ChaosOptions } from '../scenarios/chaos.js';
import type { PlanOptions } from '../scenarios/spec.js';
import { ChaosRequest, fit, operations, PlanRequest } from '../../contract/index.js';
import type { RefusalCode } from '../model/refusal.js';
import { refusalStatus } from '../api/refusals.js';
import { ValidationError } from '../../common/index.js';
import { Problem, shown } from './problem.js';
import { readJson } from './read.js';
import type { AdminCall, AdminRoute } from './route.js';

/** The scenarios, the armed plans and chaos. */
export const planRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: 'scenarios', answer: listScenarios },
  { method: 'GET', path: 'chaos', answer: ({ host }) => ({ chaos: host.scenarios.chaos() }) },
  { method: 'POST', path: 'chaos', answer: startChaos },
  { method: 'DELETE', path: 'chaos', answer: stopChaos },
  { method: 'GET', path: 'plans', answer: list },
  { method: 'POST', path: 'plans', answer: arm },
  { method: 'DELETE', path: 'plans', answer: disarmAll },
  { method: 'GET', path: 'plans/:id', answer: find },
  { method: 'DELETE', path: 'plans/:id', answer: disarm },
];

/** Each scenario with how it can be switched on, which the scenarios themselves are asked. */
function listScenarios({ host: { scenarios, engine } }: AdminCall): unknown {
  const all = scenarios.all.map((one) => {
    const { id, effect } = one;
    const contactName = id.toUpperCase();
    const isNamed = passes(() => scenarios.magic('createBooking', [{ contactLastName: contactName }]).length > 0);
    return {
      ...one,
      appliesTo: operations.filter(({ name }) => passes(() => scenarios.asked(id, name))).map((fits) => fits.id),
      perBooking: passes(() => scenarios.check([`${id}; item=1`])),
      contactName: isNamed ? contactName : null,
      status: effect.kind === 'refusal' ? refusalStatus(effect.code as RefusalCode, engine.answers) : null,
    };
  });
  return { count: all.length, scenarios: all };
}

/** Whether something is accepted. */
function passes(attempt: () => unknown): boolean {
  try {
    return attempt() !== false;
  } catch (error) {
    if (error instanceof ValidationError) return false;
    throw error;
  }
}

function list({ host: { scenarios } }: AdminCall): unknown {
  const { plans } = scenarios;
  return { count: plans.length, plans };
}

/** `{"scenario": "payment-pi-failed", "times": 2, ...}`: what `sandbox.scenarios.arm` takes, in one object. */
async function arm({ host, request }: AdminCall): Promise<unknown> {
  const { scenario, ...options } = fit(PlanRequest, await readJson(request), { whole: 'The body' });
  return host.scenarios.arm(scenario, options as PlanOptions);
}

/** `{"rate": "5%", "seed": 7}`: what `sandbox.scenarios.chaos` takes. */
async function startChaos({ host, request }: AdminCall): Promise<unknown> {
  const options = fit(ChaosRequest, await readJson(request), { whole: 'The body' });
  return { chaos: host.scenarios.chaos(options as ChaosOptions) };
}

function stopChaos({ host }: AdminCall): unknown {
  host.scenarios.chaos(null);
  return { status: 'ended' };
}

function find({ host, path }: AdminCall): unknown {
  const plan = host.scenarios.plans.find(({ id }) => id === path['id']);
  if (plan) return plan;
  throw unknownPlan(path['id']!);
}

function disarm({ host, path }: AdminCall): unknown {
  if (!host.scenarios.disarm(path['id']!)) throw unknownPlan(path['id']!);
  return { status: 'disarmed' };
}

function disarmAll({ host }: AdminCall): unknown {
  host.scenarios.disarm();
  return { status: 'disarmed' };
}

function unknownPlan(id: string): Problem {
  return new Problem(404, `There is no plan ${shown(id)}. GET plans lists what is armed.`);
}

import type { PlanOptions } from '../scenarios/plans.js';
import { Misfit } from '../scenarios/spec.js';
import { Problem, problemOf, shown } from './problem.js';
import { readJson } from './read.js';
import type { AdminCall, AdminRoute } from './route.js';

/** What can be made to fail, and what is armed. */
export const planRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: 'scenarios',
    answer: ({ host }) => ({ count: host.scenarios.all.length, scenarios: host.scenarios.all }),
  },
  { method: 'GET', path: 'plans', answer: list },
  { method: 'POST', path: 'plans', answer: arm },
  { method: 'DELETE', path: 'plans', answer: disarmAll },
  { method: 'GET', path: 'plans/:id', answer: find },
  { method: 'DELETE', path: 'plans/:id', answer: disarm },
];

function list({ host: { scenarios } }: AdminCall): unknown {
  const { plans } = scenarios;
  return { count: plans.length, plans };
}

/** `{"scenario": "payment-pi-failed", "times": 2, ...}`: what `sandbox.scenarios.arm` takes, in one object. */
async function arm({ host, request }: AdminCall): Promise<unknown> {
  const body = await readJson(request);
  const example = '{"scenario": "payment-pi-failed", "times": 2}';
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Problem(400, `The body is not a JSON object. Please send one such as ${example}.`);
  }
  const { scenario, ...options } = body as PlanOptions & { scenario?: unknown };
  if (typeof scenario !== 'string') {
    throw new Problem(400, `\`scenario\` must be the id of a scenario, as in ${example}.`);
  }
  try {
    return host.scenarios.arm(scenario, options);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    throw problemOf(error);
  }
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

import * as z from 'zod';
import { counted, defined } from '../../../common/index.js';
import type { AdminSchema } from '../admin-schema.js';
import type { ToolContext } from '../tool-context.js';
import { oneOf, operationName } from '../inputs.js';
import { changesSandbox, defineTool, lines, readsSandbox, ToolError } from '../tool.js';

type PlanRow = AdminSchema<'Plan'>;
type ScenarioRow = AdminSchema<'Scenario'>;

const idsOf = ({ scenarios }: ToolContext): string[] => scenarios.map(({ id }) => id);

export const listScenarios = (context: ToolContext) =>
  defineTool({
    name: 'list_scenarios',
    title: 'List scenarios and armed plans',
    description:
      'The failures that the sandbox can inject, what holds after each, and the plans that are armed with their ' +
      'counters: how often each matched and was triggered, and why requests only came near. Use it to choose a failure, or ' +
      'when an armed scenario was not triggered.',
    input: {
      scenario: oneOf(idsOf(context), 'scenario').optional().describe('One scenario with everything about it.'),
      operation: operationName.optional().describe('Only scenarios that can apply to this operation.'),
    },
    hints: readsSandbox,
    run: async ({ scenario, operation }) => {
      const applies = ({ appliesTo }: ScenarioRow): boolean =>
        operation === undefined ||
        appliesTo.some((id) => id.replace(/^v\d\./, '').replace(/\.post$/, '') === operation);
      const found = context.scenarios.filter((one) => (scenario ?? one.id) === one.id && applies(one));
      const plans = await context.admin.plans();
      const isOne = scenario !== undefined && found.length === 1;
      return {
        text: lines(
          isOne ? scenarioText(found[0]!) : found.map(({ id, title }) => `${id}: ${title}.`),
          found.length === 0 && `${scenario ?? 'No scenario'} applies to ${operation}.`,
          plans.length === 0 ? 'No plan is armed.' : ['Plans:', ...plans.map(planLine)],
        ),
        data: { scenarios: isOne ? found : found.map(({ id, title, means }) => ({ id, title, means })), plans },
      };
    },
  });

function scenarioText({ id, title, means, after, appliesTo, contactName, status, source }: ScenarioRow): string[] {
  const trigger = contactName === null ? [] : [`A booking with the contact name ${contactName} triggers it, too.`];
  return [
    `${id}: ${title}. ${means}`,
    ...Object.entries(after).map(([phase, holds]) => `After it is triggered with phase ${phase}: ${holds}`),
    ...(status === null ? [] : [`It is answered with ${status}.`]),
    ...trigger,
    `It applies to ${appliesTo.join(', ')}. API specification: ${source.section}, ${source.item}.`,
  ];
}

function planLine({ id, scenario, state, matched, struck, near }: PlanRow): string {
  const reasons = near.reasons.map(({ why, last }) => `${why} (${last})`).join('; ');
  const missed = near.count === 0 ? '' : `; ${counted(near.count, 'request')} came near: ${reasons}`;
  return `  ${id} ${scenario}: ${state}, matched ${matched}, triggered ${struck}${missed}`;
}

const planInput = (context: ToolContext) => ({
  scenario: oneOf(idsOf(context), 'scenario'),
  phase: z.enum(['before-commit', 'after-commit']).optional().describe('list_scenarios shows what holds after each.'),
  operation: operationName.optional().describe('Only requests of this operation.'),
  channel: oneOf(context.channels, 'channel').optional(),
  facilityId: z.int().min(1).optional(),
  match: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe('Fields of the body or parameters that must have these values.'),
  times: z
    .union([z.int().min(1), z.literal('always')])
    .optional()
    .describe('Number of times it was triggered; default 1.'),
  after: z.int().min(0).optional().describe('Number of matching requests to let pass first.'),
  steps: z
    .array(z.enum(['fail', 'ok']))
    .min(1)
    .max(100)
    .optional()
    .describe('A script instead of times and after.'),
  probability: z.number().min(0).max(1).optional(),
  ttl: z.number().positive().optional().describe('Seconds on the clock of the sandbox until it expires.'),
  delay: z.int().min(0).max(600_000).optional().describe('Milliseconds, for scenarios that are slow or late.'),
  item: z.int().min(1).max(1000).optional().describe('The booking of a group that it applies to, counted from 1.'),
});

export const armScenario = (context: ToolContext) =>
  defineTool({
    name: 'arm_scenario',
    title: 'Arm a scenario',
    description:
      'Makes requests fail: arms a plan that applies to the next matching requests of any client, by default one ' +
      'request. Use it before you run the client under test. For a single request of your own, call_operation takes ' +
      'a `scenario`. after-commit means that the change is made although the response reports a failure.',
    input: planInput(context),
    hints: changesSandbox,
    run: async ({ scenario, ...options }) => {
      const plan = await context.admin.arm(scenario, defined(options));
      const { after } = context.scenarios.find(({ id }) => id === scenario)!;
      const [phase, holds] = Object.entries(after).find(([one]) => one === (options.phase ?? one))!;
      return {
        text: lines(`Armed ${plan.id}: ${scenario}, phase ${phase}.`, `After it is triggered: ${holds}`),
        data: { plan, phase, after: holds },
      };
    },
  });

export const disarmScenarios = (context: ToolContext) =>
  defineTool({
    name: 'disarm_scenarios',
    title: 'Disarm scenarios',
    description: 'Disarms one plan, or all of them. Use it when a test of a failure is over.',
    input: {
      plan: z.string().max(40).optional().describe('Id of a plan, such as plan-1. Default: all plans.'),
    },
    hints: { ...changesSandbox, idempotentHint: true },
    run: async ({ plan }) => {
      const before = await context.admin.plans();
      if (plan !== undefined && !before.some(({ id }) => id === plan)) {
        const known = before.map(({ id }) => id).join(', ') || 'none';
        throw new ToolError(`There is no plan \`${plan}\`. The plans are: ${known}.`);
      }
      await context.admin.disarm(plan);
      const gone = before.filter(({ id }) => (plan ?? id) === id);
      return {
        text: lines(
          gone.length === 0
            ? 'No plan was armed.'
            : gone.map(
                ({ id, scenario: name, matched, struck }) =>
                  `Disarmed ${id} ${name}: matched ${matched}, triggered ${struck}`,
              ),
        ),
        data: { disarmed: gone },
      };
    },
  });

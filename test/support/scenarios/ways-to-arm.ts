import type { Phase, Scenario } from '../../../src/contract/generated/scenarios.js';
import type { SandboxOptions } from '../../../src/engine/library.js';
import { adminOf } from '../admin.js';
import type { Client } from '../client.js';

/** How a scenario is switched on for the next request of `fairway`. */
export interface WayToArm {
  /** What `Teebox-Scenario` calls it. */
  readonly source: 'header' | 'body' | 'plan';
  readonly options?: (spec: string) => SandboxOptions;
  readonly before?: (client: Client, id: string, phase: Phase) => void | Promise<unknown>;
  readonly headers?: (spec: string) => Record<string, string>;
  /** Fields of the booking. */
  readonly fields?: (spec: string) => Record<string, unknown>;
  /** Whether it can say so; a name can ask for the usual phase alone. */
  readonly says?: (scenario: Scenario, phase: Phase) => boolean;
}

const idOf = (spec: string) => spec.slice(0, spec.indexOf(';'));

export const waysToArm: Readonly<Record<string, WayToArm>> = {
  header: { source: 'header', headers: (spec) => ({ 'teebox-scenario': spec }) },
  name: {
    source: 'body',
    fields: (spec) => ({ contactLastName: idOf(spec).toUpperCase() }),
    says: ({ after }, phase) => phase === Object.keys(after)[0],
  },
  comment: { source: 'body', fields: (spec) => ({ comments: `For the test. #teebox ${spec}` }) },
  plan: {
    source: 'plan',
    before: ({ sandbox }, scenario, phase) => adminOf(sandbox)('POST', 'plans', { scenario, phase }),
  },
  library: { source: 'plan', before: ({ sandbox }, id, phase) => void sandbox.scenarios.arm(id, { phase }) },
  start: { source: 'plan', options: (spec) => ({ scenarios: [spec] }) },
};

/** Every scenario in every phase in which it can strike. */
export function everyStrike(scenarios: readonly Scenario[]): [spec: string, scenario: Scenario, phase: Phase][] {
  return scenarios.flatMap((scenario) =>
    Object.keys(scenario.after).map((phase): [string, Scenario, Phase] => [
      `${scenario.id}; phase=${phase}`,
      scenario,
      phase as Phase,
    ]),
  );
}

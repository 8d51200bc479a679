import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { fit } from '../../src/contract/fit.js';
import type { Scenario } from '../../src/contract/generated/scenarios.js';
import { header, quote, rootFolder } from './folders.js';
import { inputValidator } from './inputs.js';
import { readSchema } from './scenario-validator.js';

const folder = resolve(rootFolder, 'scenarios');

/**
 * The scenarios of `scenarios/`, in order of their ids.
 *
 * @throws {Error} for a file that does not fit the schema.
 */
export function loadScenarios(): Scenario[] {
  const read = scenarioReader();
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return names
    .map((name) => read(name, readFileSync(resolve(folder, name), 'utf8')))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Reads the text of a file in `scenarios/`, with the messages that users get for their own scenarios. */
export function scenarioReader(): (name: string, text: string) => Scenario {
  const schema = readSchema();
  const validate = inputValidator<Scenario>(schema, schema);
  return (name, text) => {
    try {
      const scenario = fit(validate, parse(text), { whole: 'A scenario' });
      if (name === `${scenario.id}.yaml`) return scenario;
      throw new Error(`\`id\` must be the name of the file; got "${scenario.id}".`);
    } catch (error) {
      throw new Error(`Failed to load scenarios/${name}: ${(error as Error).message}`, { cause: error });
    }
  };
}

const types = `/** Milliseconds: fixed, drawn evenly from a range, or lognormal round a median. */
export type Delay =
  | number
  | { readonly uniform: readonly [least: number, most: number] }
  | { readonly lognormal: { readonly median: number; readonly sigma: number } };

export type Phase = 'before-commit' | 'after-commit';

/** What a scenario does. A delay is written with its unit, or as a distribution. */
export type Effect =
  /** The answer is a refusal of the engine. */
  | {
      readonly kind: 'refusal';
      readonly code: string;
      readonly rule: RuleId;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The state changes, and the engine answers by what holds then. */
  | { readonly kind: 'change'; readonly change: CHANGES }
  /** The answer does not arrive as it should. */
  | { readonly kind: 'network'; readonly fault: NETWORK; readonly delay?: string }
  /** The result of a search is not posted as it should. */
  | { readonly kind: 'callback'; readonly fault: CALLBACK; readonly delay?: string };

/** A failure that can be switched on. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** What it stands for. */
  readonly means: string;
  /** Where in the API specification it comes from. */
  readonly source: { readonly section: string; readonly item: string };
  /** Names of operations without their version; \`*\` for every operation of a channel. */
  readonly operations: readonly string[];
  /** Where it is triggered. */
  readonly checkpoint: CHECKPOINTS;
  readonly effect: Effect;
  /** Its share in chaos. Default: 1. */
  readonly weight?: number;
  /** What holds afterwards, for each phase in which it can be triggered; the first is the default. */
  readonly after: Readonly<Partial<Record<Phase, string>>>;
}
`;

interface ScenarioSchema {
  readonly properties: {
    readonly checkpoint: { readonly enum: readonly string[] };
    readonly effect: { readonly oneOf: readonly { readonly title: string; readonly properties: Effects }[] };
  };
}
type Effects = Readonly<Record<'change' | 'fault', { readonly enum: readonly string[] }>>;

/** `scenarios.ts`: what can be switched on. */
export function scenariosFile(scenarios: readonly Scenario[]): string {
  const { checkpoint, effect } = (readSchema() as unknown as ScenarioSchema).properties;
  const union = (values: readonly string[]) => values.map(quote).join(' | ');
  const of = (kind: string) => effect.oneOf.find(({ title }) => title === kind)!.properties;
  const rows = scenarios.map((scenario) => {
    const { $schema: _, ...kept } = scenario as Scenario & { $schema?: string };
    return `  ${JSON.stringify(kept)},\n`;
  });
  const declared = types
    .replace('CHANGES', union(of('change').change.enum))
    .replace('NETWORK', union(of('network').fault.enum))
    .replace('CALLBACK', union(of('callback').fault.enum))
    .replace('CHECKPOINTS', union(checkpoint.enum));
  return `${header}import type { RuleId } from './rule-basis.js';

export type ScenarioId = ${union(scenarios.map(({ id }) => id))};
${declared}
export const scenarios: readonly (Scenario & { readonly id: ScenarioId })[] = [
${rows.join('')}];
`;
}

import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import type { Scenario } from '../../src/contract/generated/scenarios.js';
import { header, quote, rootFolder } from './folders.js';
import { readSchema } from './scenario-validator.js';

const folder = resolve(rootFolder, 'scenarios');

/**
 * The scenarios of `scenarios/`, in order of their ids.
 *
 * @throws {Error} for a file that does not fit the schema.
 */
export function loadScenarios(): Scenario[] {
  const ajv = new Ajv2020({ allErrors: true, discriminator: true });
  ajv.addVocabulary(['x-teebox-due']);
  const validate = ajv.compile(readSchema());
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  const found = names.map((name) => {
    const scenario = parse(readFileSync(resolve(folder, name), 'utf8')) as Scenario;
    const faults = validate(scenario)
      ? name === `${scenario.id}.yaml`
        ? []
        : ['its id is not its name']
      : validate.errors!.map(({ instancePath, message }) => `${instancePath || 'it'} ${message}`);
    if (faults.length > 0) throw new Error(`Failed to load scenarios/${name}: ${faults.join('; ')}.`);
    return scenario;
  });
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
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

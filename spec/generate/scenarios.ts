import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { refusalTable } from '../../src/app/refusals.js';
import type { Catalogue } from './catalogue.js';
import { header, quote, rootFolder } from './folders.js';

const folder = resolve(rootFolder, 'scenarios');

/** One scenario as its file has it. */
export interface ScenarioFile {
  readonly id: string;
  readonly title: string;
  readonly means: string;
  readonly source: { readonly section: string; readonly item: string };
  readonly operations: readonly string[];
  readonly checkpoint: string;
  readonly refusal: { readonly code: string; readonly rule: string; readonly headers?: Record<string, string> };
  readonly after: Readonly<Record<string, string>>;
}

/**
 * The scenarios of `scenarios/`, in order of their ids.
 *
 * @throws {Error} for a file that does not fit the schema, or that names a rule, an operation or a refusal that is
 * not there.
 */
export function loadScenarios(catalogue: Catalogue, operations: readonly string[]): ScenarioFile[] {
  const schema = JSON.parse(readFileSync(resolve(folder, 'scenario.schema.json'), 'utf8'));
  const validate = new Ajv2020({ allErrors: true }).compile(schema);
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return names.sort().map((name) => {
    const scenario = parse(readFileSync(resolve(folder, name), 'utf8')) as ScenarioFile;
    const faults = validate(scenario)
      ? misfitsOf(scenario, name, catalogue, operations)
      : validate.errors!.map(({ instancePath, message }) => `${instancePath || 'it'} ${message}`);
    if (faults.length > 0) throw new Error(`Failed to load scenarios/${name}: ${faults.join('; ')}.`);
    return scenario;
  });
}

function misfitsOf(
  { id, operations, refusal }: ScenarioFile,
  name: string,
  { rules }: Catalogue,
  known: readonly string[],
): string[] {
  const strange = operations.filter((operation) => operation !== '*' && !known.includes(operation));
  return [
    ...(name === `${id}.yaml` ? [] : [`its id ${id} is not its name`]),
    ...strange.map((operation) => `there is no operation ${operation}`),
    ...(rules.some((rule) => rule.id === refusal.rule) ? [] : [`there is no rule ${refusal.rule}`]),
    ...(refusal.code in refusalTable ? [] : [`there is no refusal ${refusal.code}`]),
  ];
}

/** `scenarios.ts`: what can be switched on. */
export function scenariosFile(scenarios: readonly ScenarioFile[]): string {
  const union = (values: readonly string[]) => [...new Set(values)].map(quote).join(' | ');
  const rows = scenarios.map((scenario) => {
    const { $schema: _, ...kept } = scenario as ScenarioFile & { $schema?: string };
    return `  ${JSON.stringify(kept)},\n`;
  });
  return `${header}import type { RuleId } from './rule-basis.js';

export type ScenarioId = ${union(scenarios.map(({ id }) => id))};
export type Phase = 'before-commit' | 'after-commit';

/** A failure that can be switched on. */
export interface Scenario {
  readonly id: ScenarioId;
  readonly title: string;
  /** What it stands for. */
  readonly means: string;
  /** Where in the document it comes from. */
  readonly source: { readonly section: string; readonly item: string };
  /** Names of operations without their version, or \`*\`. */
  readonly operations: readonly string[];
  /** Where it strikes: on arrival, or at a step of a booking. */
  readonly checkpoint: ${union(scenarios.map(({ checkpoint }) => checkpoint))};
  readonly refusal: {
    readonly code: ${union(scenarios.map(({ refusal }) => refusal.code))};
    readonly rule: RuleId;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** What holds afterwards, for each phase in which it can strike; the first is the default. */
  readonly after: Readonly<Partial<Record<Phase, string>>>;
}

export const scenarios: readonly Scenario[] = [
${rows.join('')}];
`;
}

import { operations } from '../generated/operations.js';
import { ruleBasis } from '../generated/rule-basis.js';
import { scenario as validate } from '../generated/scenario-validator.js';
import type { Scenario } from '../generated/scenarios.js';
import { misfitsOf } from '../scenarios/file.js';
import { refusalTable } from './refusals.js';

/**
 * A scenario of the sandbox's user, by the schema of `scenarios/scenario.schema.json`.
 *
 * @throws {Error} that says what does not fit.
 */
export function readScenario(value: unknown): Scenario {
  if (!validate(value)) throw new Error(`${(validate.errors ?? []).map(sentence).join('; ')}.`);
  const scenario = value as Scenario;
  const known = {
    operations: [...new Set(operations.map(({ name }) => name))],
    rules: Object.keys(ruleBasis),
    codes: Object.keys(refusalTable),
  };
  const misfits = misfitsOf(scenario, known);
  if (misfits.length > 0) throw new Error(`${misfits.join('; ')}.`);
  return scenario;
}

function sentence({ instancePath, message, params }: NonNullable<typeof validate.errors>[number]): string {
  const at = instancePath === '' ? 'it' : `\`${instancePath.slice(1).replaceAll('/', '.')}\``;
  const allowed = params['allowedValues'] ?? params['allowedValue'];
  const stray = params['additionalProperty'];
  if (Array.isArray(allowed)) return `${at} must be one of ${allowed.join(', ')}`;
  return stray === undefined ? `${at} ${message}` : `${at} has no member \`${String(stray)}\``;
}

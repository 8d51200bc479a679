import { fit, operations, ruleBasis, type Scenario, scenario as validate } from '../../contract/index.js';
import { Misfit } from '../../common/index.js';
import { misfitsOf } from '../scenarios/file.js';
import { refusalTable } from '../api/refusals.js';

/**
 * Reads a scenario of the user, by the schema `scenarios/scenario.schema.json`.
 *
 * @throws {Misfit} that says what does not fit.
 */
export function readScenario(value: unknown): Scenario {
  const scenario = fit(validate, value, { whole: 'A scenario' });
  const known = {
    operations: [...new Set(operations.map(({ name }) => name))],
    rules: Object.keys(ruleBasis),
    codes: Object.keys(refusalTable),
  };
  const misfits = misfitsOf(scenario, known);
  if (misfits.length > 0) throw new Misfit(`${misfits.join('; ')}.`, misfits);
  return scenario;
}

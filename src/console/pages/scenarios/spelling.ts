import { delayText, type PlanBody } from './plan-form.js';

/** A scenario as a request header, a comment or the flag `--scenario` asks for it. */
export function scenarioText({ scenario, phase, item, delay }: PlanBody): string {
  const options = { phase, item, delay: delay === undefined ? undefined : delayText(delay) };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return [scenario, ...given.map(([name, value]) => `${name}=${value}`)].join('; ');
}

/** The options of a plan that only a plan has. */
export function planOnly(plan: PlanBody): readonly string[] {
  return Object.keys(plan).filter((name) => !['scenario', 'phase', 'item', 'delay'].includes(name));
}

/** A value as TypeScript writes it, on one line. */
export function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(([name, one]) => {
    return `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)}: ${literal(one)}`;
  });
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

/** JSON escapes whatever a line of code must not have. */
function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner}'`;
}

/** The arguments that arm a plan, in the library and in the client of the admin API. */
export function armArguments({ scenario, ...options }: PlanBody): string {
  const given = Object.keys(options).length === 0 ? '' : `, ${literal(options)}`;
  return `${quoted(scenario)}${given}`;
}

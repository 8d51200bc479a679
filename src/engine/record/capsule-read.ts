import { epochOf } from '../model/clock.js';
import { ValidationError, validationError } from '../../common/index.js';
import { type Capsule, CAPSULE_FORM, type CapsuleStep } from './capsule.js';

/** Maximum number of steps: a sandbox records about 1,000 requests. */
const MOST_STEPS = 20_000;

/**
 * Reads a capsule. Its options, dialect and state are checked by the sandbox that plays it.
 *
 * @throws {ValidationError} with what is wrong with it.
 */
export function readCapsule(value: unknown): Capsule {
  const given = objectAt(value, 'A capsule');
  const { capsule, teebox, steps } = given;
  if (typeof capsule !== 'number' || typeof teebox !== 'string') {
    const har = 'log' in given ? ' For a HAR file, use `teebox check --replay`.' : '';
    const due = 'its `capsule` must be a number, and its `teebox` a version';
    throw new ValidationError(`This is no capsule: ${due}.${har}`, ['a capsule']);
  }
  if (capsule !== CAPSULE_FORM) {
    const remedy = capsule > CAPSULE_FORM ? `Teebox ${teebox} wrote it; update Teebox.` : 'Write it again.';
    const form = String(CAPSULE_FORM);
    throw new ValidationError(`The capsule has the form ${capsule}; this Teebox plays form ${form}. ${remedy}`, [form]);
  }
  for (const name of ['seed', 'facilities'] as const) {
    if (!Number.isSafeInteger(given[name])) throw validationError(name, 'a whole number', given[name]);
  }
  instantAt(given['now'], 'now');
  for (const name of ['dialect', 'options'] as const) objectAt(given[name], `\`${name}\``);
  for (const name of ['scenarios', 'ownScenarios']) listAt(given['options'], name, 'options');
  const { scenarios = [] } = given['options'] as { readonly scenarios?: readonly unknown[] };
  for (const [index, one] of scenarios.entries()) {
    if (typeof one !== 'string') throw validationError(`options.scenarios[${index}]`, 'a string', one);
  }
  if (given['state'] !== undefined) checkState(objectAt(given['state'], '`state`'));
  if (!Array.isArray(steps)) throw validationError('steps', 'a list', steps);
  if (steps.length > MOST_STEPS) {
    throw validationError('steps', `a list of at most ${MOST_STEPS} steps`, `${steps.length} steps`);
  }
  for (const [index, step] of steps.entries()) checkStep(step, `steps[${index}]`);
  return given as unknown as Capsule;
}

/** Only what is read before the sandbox checks it. */
function checkState({ store }: Readonly<Record<string, unknown>>): void {
  if (store === undefined) return;
  for (const name of ['bookings', 'without']) listAt(objectAt(store, '`state.store`'), name, 'state.store');
}

function listAt(object: unknown, name: string, at: string): void {
  const list = (object as Readonly<Record<string, unknown>>)[name];
  if (list !== undefined && !Array.isArray(list)) throw validationError(`${at}.${name}`, 'a list', list);
}

const due: Readonly<Record<CapsuleStep['kind'], readonly string[]>> = {
  request: ['id', 'method', 'url'],
  resume: ['of'],
  clock: [],
  admin: ['method', 'path'],
};

function checkStep(value: unknown, at: string): void {
  const step = objectAt(value, `\`${at}\``);
  const kinds = Object.keys(due);
  const kind = step['kind'] as CapsuleStep['kind'];
  if (!kinds.includes(kind)) throw validationError(`${at}.kind`, `one of ${kinds.join(', ')}`, kind, kinds);
  instantAt(step['at'], `${at}.at`);
  for (const name of due[kind]) {
    if (typeof step[name] !== 'string') throw validationError(`${at}.${name}`, 'a string', step[name]);
  }
  if (kind === 'resume' && !Number.isSafeInteger(step['turn'])) {
    throw validationError(`${at}.turn`, 'a whole number', step['turn']);
  }
  if (kind === 'admin' && !methods.test(step['method'] as string)) {
    throw validationError(`${at}.method`, 'one of GET, POST, PUT, PATCH, DELETE', step['method']);
  }
  if (kind === 'request') checkRequest(step, at);
}

const methods = /^(?:GET|POST|PUT|PATCH|DELETE)$/;

function checkRequest(step: Readonly<Record<string, unknown>>, at: string): void {
  const { url, headers, response } = step;
  if (!URL.canParse(url as string)) throw validationError(`${at}.url`, 'an absolute URL', url);
  const isText = (one: unknown) => typeof one === 'string';
  if (!Object.values(objectAt(headers, `\`${at}.headers\``)).every(isText)) {
    throw validationError(`${at}.headers`, 'an object of strings', headers);
  }
  if (response === undefined || response === null) return;
  const { status, headers: sent } = objectAt(response, `\`${at}.response\``);
  if (!Number.isSafeInteger(status)) throw validationError(`${at}.response.status`, 'a whole number', status);
  objectAt(sent, `\`${at}.response.headers\``);
}

function objectAt(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new ValidationError(`${what} must be an object.`, ['an object']);
}

function instantAt(value: unknown, path: string): void {
  try {
    epochOf(typeof value === 'string' ? value : '');
  } catch {
    throw validationError(path, 'an instant in ISO 8601, such as 2026-06-01T08:00:00.000Z', value);
  }
}

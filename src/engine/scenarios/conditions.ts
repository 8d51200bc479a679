import { type JsonObject, shown } from '../../common/index.js';
import type { PlanContext } from './plan-context.js';
import type { PlanOptions } from './plan-options.js';
import type { ScenarioSpec } from './spec.js';

/** What of the request decides whether a plan is meant. */
type Request = Pick<PlanContext, 'operation' | 'channel' | 'bodies' | 'sent' | 'lacks'>;

/** Why a request does not match a plan, in words; undefined if it matches. */
export function whyNot(request: Request, options: PlanOptions, { item, scenario }: ScenarioSpec): string | undefined {
  const { operation, bodies } = request;
  const { operation: wanted, channel, facilityId, match } = options;
  if (wanted !== undefined && ![operation.id, operation.name].includes(wanted)) {
    return `\`operation\` is ${operation.id}, not ${wanted}`;
  }
  const lack = request.lacks(scenario);
  if (lack) return lack.why;
  if (item !== null && item > bodies.length) return `the request has no booking ${item}`;
  if (channel !== undefined && channel !== request.channel()) {
    return `\`channel\` is ${request.channel() ?? 'unknown, as the credentials are not valid'}, not ${channel}`;
  }
  if (facilityId !== undefined) {
    const found = facilitiesIn(request);
    if (!found.includes(facilityId)) return `\`facilityId\` is ${found.join(', ') || 'missing'}, not ${facilityId}`;
  }
  return match === undefined ? undefined : mismatch(request, match);
}

/** The facilities that bodies or parameters name, singly or in a list. */
function facilitiesIn({ bodies, sent }: Request): number[] {
  const { facilityId, facilityIds } = sent();
  const ofBodies = bodies.map((body) => body['facilityId']);
  const named = [...ofBodies, facilityId, ...(facilityIds?.split(',') ?? [])];
  return [...new Set(named.filter((one) => one !== undefined && one !== '').map(Number))];
}

/** The first field that keeps a request from matching, of the body that comes closest. */
function mismatch({ bodies, sent }: Request, match: JsonObject): string | undefined {
  const ofBodies = bodies.map((body) => differing(match, (name, value) => holds(body, name, value)));
  const parameters = sent();
  const ofParameters = differing(match, (name, value) => isSent(parameters, name, value));
  const sources: (readonly [JsonObject, readonly string[]])[] = [
    ...bodies.map((body, index) => [body, ofBodies[index]!] as const),
    ...(bodies.length === 0 || Object.keys(parameters).length > 0 ? [[parameters, ofParameters] as const] : []),
  ];
  const [nearest, names] = sources.reduce((best, one) => (one[1].length < best[1].length ? one : best));
  const [name] = names;
  if (name === undefined) return undefined;
  const got = Object.hasOwn(nearest, name) ? (SECRET.test(name) ? 'another' : shown(nearest[name])) : 'missing';
  return `\`${name}\` is ${got}, not ${SECRET.test(name) ? 'that' : shown(match[name])}`;
}

/** A callback address may hold credentials in any place of it. */
const SECRET = /token|password|secret|callbackUrl/i;

function differing(match: JsonObject, met: (name: string, value: unknown) => boolean): string[] {
  return Object.entries(match).flatMap(([name, value]) => (met(name, value) ? [] : [name]));
}

function holds(body: JsonObject, name: string, value: unknown): boolean {
  return Object.hasOwn(body, name) && JSON.stringify(body[name]) === JSON.stringify(value);
}

/** Parameters are text, so that 2 and "2" are the same. */
function isSent(parameters: JsonObject, name: string, value: unknown): boolean {
  return Object.hasOwn(parameters, name) && typeof value !== 'object' && parameters[name] === String(value);
}

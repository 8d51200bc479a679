import { allRules } from '../../../src/conformance/run/check.js';
import { Contract, type Schema } from '../../../src/conformance/client/contract.js';
import { isObject } from '../../../src/common/index.js';
import { handWritten } from '../../../src/conformance/rules/index.js';
import { type Rule, rules as catalogue } from '../../../src/contract/generated/built/catalogue.js';
import { type OperationId, operations } from '../../../src/contract/generated/operations.js';
import { loadContract } from '../../../spec/generate/contract.js';
import type { RuleId } from '../../../src/contract/generated/rule-basis.js';
import type { Layer } from '../deployment.js';
import type { Mutant } from './mutant.js';

/** Where a field stands: a schema of the contract, and the way from there. */
interface Place {
  readonly schemas: readonly string[];
  readonly path: readonly string[];
}

/** Fields of objects without a schema of their own. */
const inner: Partial<Record<RuleId, Place>> = {
  'prices.item.availability.time': { schemas: ['PriceRecord'], path: ['availability', 'time'] },
  'prices.item.availability.available': { schemas: ['PriceRecord'], path: ['availability', 'available'] },
  'callback.item.facilityId': { schemas: ['SearchResult'], path: ['data', 'facilityId'] },
  'callback.item.teeTimeV3': { schemas: ['SearchResult'], path: ['data', 'teeTimeV3'] },
};

/** A rule about a field of one version is about the same field of its relatives too. */
const relatives: readonly (readonly string[])[] = [
  ['BookingV1', 'BookingV2', 'BookingV4'],
  ['FacilityDetailsV2', 'FacilityDetailsV3'],
  ['Address', 'FacilityAddress'],
];

const contract = new Contract();
const byId = new Map(operations.map((operation) => [operation.id as OperationId, operation]));

/** What becomes of a value in a language with other types, or on the way through a database, a form or XML. */
function otherType(value: unknown, nullable: boolean): unknown {
  if (typeof value === 'string') return nullable ? Number(value) || 7 : null;
  if (Array.isArray(value)) return { ...value };
  if (isObject(value)) return [value];
  return value === null ? 'many' : String(value);
}

/** What a team does to a field when it does it wrong. */
type Way = 'omits' | 'changes the type of';

/** Calls `meet` with every object of an answer that has a schema of that name. */
function follow(schema: Schema, value: unknown, names: readonly string[], meet: (object: object) => void): void {
  const { name, schema: own } = contract.deref(schema);
  for (const choice of [...(own.anyOf ?? []), ...(own.oneOf ?? [])]) {
    const { properties } = contract.deref(choice).schema;
    const fits = !properties || (isObject(value) && Object.keys(properties).some((key) => key in value));
    if (fits) follow(choice, value, names, meet);
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const items = own.prefixItems?.[index] ?? own.items;
      if (items) follow(items, item, names, meet);
    }
  } else if (isObject(value)) {
    for (const [key, property] of Object.entries(own.properties ?? {})) follow(property, value[key], names, meet);
    if (name !== undefined && names.includes(name)) meet(value);
  }
}

/** The objects that hold the last field of a path. */
function holders(object: object, path: readonly string[]): readonly Record<string, unknown>[] {
  const [name, ...rest] = path as [string, ...string[]];
  const record = object as Record<string, unknown>;
  if (rest.length === 0) return name in record ? [record] : [];
  return [record[name]].flat().flatMap((item) => (isObject(item) ? holders(item, rest) : []));
}

/** Whether an answer can have an object of one of some schemas with a field of that name. */
function reaches(schema: Schema, { schemas, path }: Place, above: readonly string[] = []): boolean {
  const { name, schema: own } = contract.deref(schema);
  if (name !== undefined && above.includes(name)) return false;
  if (name !== undefined && schemas.includes(name) && own.properties?.[path[0]!]) return true;
  const parts = [
    own.properties ?? {},
    own.prefixItems ?? [],
    own.anyOf ?? [],
    own.oneOf ?? [],
    own.items ? [own.items] : [],
  ];
  const inside = name === undefined ? above : [...above, name];
  return parts
    .flatMap((part) => Object.values(part) as Schema[])
    .some((part) => reaches(part, { schemas, path }, inside));
}

/** Alters a field of an answer in the last object that has it: a mistake seldom shows in the first. */
function spoiling(schema: Schema, place: Place, way: Way): (json: unknown) => unknown {
  const name = place.path.at(-1)!;
  return (json) => {
    const found: Record<string, unknown>[] = [];
    follow(schema, json, place.schemas, (object) => found.push(...holders(object, place.path)));
    for (const object of found.slice(-1)) {
      if (way === 'omits') delete object[name];
      else object[name] = otherType(object[name], !isRequired(place));
    }
    return json;
  };
}

/** A layer that alters successful answers of one operation. */
function answering(operation: OperationId, alter: (json: unknown) => unknown): Layer {
  const { method, path } = byId.get(operation)!;
  const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
  return async (request, through) => {
    const response = await through(request);
    const concerned = request.method === method && pattern.test(new URL(request.url).pathname);
    if (!concerned || !response.ok) return response;
    return Response.json(alter(await response.json()), { status: response.status });
  };
}

const DELIVERY: Schema = { $ref: 'SearchResult' };
const through: Layer = (request, go) => go(request);

/** The mutant of a rule whose answers of one origin are altered. */
function altered(
  rule: RuleId,
  origin: OperationId | 'delivery',
  does: string,
  alter: (json: unknown) => unknown,
): Mutant {
  const defect = `${origin} ${does}`;
  if (origin === 'delivery') return { rule, defect, layer: through, delivery: alter };
  // Bookings are paid by the rules of payments alone.
  const others = rule.startsWith('payments.') ? { options: { only: ['payments.*'] } } : {};
  return { rule, defect, layer: answering(origin, alter), ...others };
}

/** Operations whose answers a rule is about; the fields of a search come with its delivery. */
function originsOf(rule: Rule, about: 'field' | 'whole'): readonly (OperationId | 'delivery')[] {
  if (rule.id.startsWith('callback.')) return ['delivery'];
  return operations
    .filter(({ name, version }) => rule.operations.includes(name) && [...rule.versions, '*'].includes(version))
    .map(({ id }) => (about === 'field' && id === 'v5.searchTeeTimes' ? 'delivery' : id));
}

function placeOf({ id, field }: Rule): Place | undefined {
  const own = inner[id as RuleId];
  if (own || !field) return own;
  const { schema, name } = field;
  return { schemas: relatives.find((family) => family.includes(schema)) ?? [schema], path: [name] };
}

/** Fields that a deployment may leave out, as the contract says for each schema. */
const { components } = await loadContract();
const leftOut = (schema: string): readonly string[] => {
  return (components.schemas[schema]?.['x-teebox-optional'] as readonly string[] | undefined) ?? [];
};

/** Whether every deployment must send a field, so that it is a breach to leave it out. */
function isRequired({ schemas, path }: Place): boolean {
  const optional = schemas.flatMap(leftOut);
  return path.length > 1 || !optional.includes(path[0]!);
}

/** What tells one form of an answer from another: without it the answer has neither form, as another rule says. */
const telling: readonly string[] = ['bookings.create.single'];

function fieldMutants(rule: Rule, place: Place): readonly Mutant[] {
  const id = rule.id as RuleId;
  const field = place.path.join('.');
  return originsOf(rule, 'field').flatMap((origin, index): Mutant[] => {
    const schema = origin === 'delivery' ? DELIVERY : contract.answer(origin).schema;
    if (!reaches(schema, place)) return [];
    // A field that is left out in one of several versions is enough; of another type it may be in each.
    const chosen: readonly Way[] =
      isRequired(place) && index === 0 && !telling.includes(id)
        ? ['omits', 'changes the type of']
        : ['changes the type of'];
    return chosen.map((way) => altered(id, origin, `${way} ${field}`, spoiling(schema, place, way)));
  });
}

/** A payload that no deployment may send. A text in the answer to a payment may be the message of the pause. */
const otherData = ({ id }: Rule): unknown => (id.startsWith('payments.') ? 7 : 'done');

function wholeMutants(rule: Rule): readonly Mutant[] {
  const own = originsOf(rule, 'whole').filter((origin) => origin === 'delivery' || byId.get(origin)!.rule === rule.id);
  return own.map((origin) =>
    origin === 'delivery'
      ? altered(rule.id as RuleId, origin, 'is an array instead of an object', (json) => [json])
      : altered(rule.id as RuleId, origin, `returns a ${typeof otherData(rule)} as data`, (json) => ({
          ...(json as object),
          data: otherData(rule),
        })),
  );
}

const own = new Set(handWritten.map(({ id }) => id));

/** Rules of the suite; none of them is run here. */
export const suite = allRules(() => {
  throw new Error('No rule is run here.');
});
const generic = new Set<string>(suite.map(({ id }) => id).filter((id) => !own.has(id)));

/** Mutants of the rules of forms that nobody wrote by hand: a field left out or of another type, in one answer each. */
export const fieldRuleMutants: readonly Mutant[] = catalogue
  .filter(({ id }) => generic.has(id))
  .flatMap((rule) => {
    const place = placeOf(rule);
    return place ? fieldMutants(rule, place) : wholeMutants(rule);
  });

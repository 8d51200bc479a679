import { type Rule, rules as catalogue } from '../generated/catalogue.js';
import { type OperationId, operations, type OperationSpec } from '../generated/operations.js';
import { responses, searchResult } from '../generated/response-validators-open.js';
import type { ValidationError, Validator } from '../generated/request-validators.js';
import type { RuleId } from '../generated/rule-basis.js';
import { type Contract, type Schema } from './contract.js';
import { isObject } from './exchange.js';
import { MASK } from './mask.js';

/** Where an answer came from: an operation, or the delivery of a search. */
export type Origin = OperationId | 'callback';

/** A place of an answer: the schema that it stands in and the field of it. */
interface Place {
  readonly schema: string;
  readonly field: string;
}

/** Schemas of several versions whose fields share a rule. */
const families: readonly (readonly string[])[] = [
  ['BookingV1', 'BookingV2', 'BookingV4'],
  ['FacilityDetailsV2', 'FacilityDetailsV3'],
  ['Address', 'FacilityAddress'],
];

/** Rules of fields of objects that have no schema of their own, by their place. */
const nested: Readonly<Record<string, RuleId>> = {
  'PriceRecord.availability.time': 'prices.item.availability.time',
  'PriceRecord.availability.available': 'prices.item.availability.available',
  'SearchResult.data.facilityId': 'callback.item.facilityId',
  'SearchResult.data.teeTimeV3': 'callback.item.teeTimeV3',
};

const withField = catalogue.filter((rule) => rule.field);

const found = new Map<string, RuleId | undefined>();

/** The rule of a field in the answers of one origin; undefined where no rule is about it there. */
export function fieldRule(origin: Origin, place: Place): RuleId | undefined {
  const key = `${origin} ${place.schema}.${place.field}`;
  if (!found.has(key)) found.set(key, findRule(origin, place));
  return found.get(key);
}

function findRule(origin: Origin, { schema, field }: Place): RuleId | undefined {
  const own = nested[`${schema}.${field}`];
  if (own) return own;
  const related = families.find((family) => family.includes(schema)) ?? [schema];
  const fits = (rule: Rule, name: string): boolean =>
    rule.field!.schema === name && rule.field!.name === field && concerns(rule, origin);
  for (const name of [schema, ...related]) {
    const found = withField.find((rule) => fits(rule, name));
    if (found) return found.id as RuleId;
  }
  return undefined;
}

function concerns({ operations: names, versions }: Rule, origin: Origin): boolean {
  const { name, version } = origin === 'callback' ? { name: 'searchTeeTimes', version: 'v5' } : specs.get(origin)!;
  return (
    (names.includes('*') || names.includes(name)) &&
    (['*', version].some((one) => versions.includes(one)) || version === '*')
  );
}

const specs = new Map<OperationId, OperationSpec>(operations.map((operation) => [operation.id, operation]));

/** The rule about the answer as a whole. */
export function answerRule(origin: Origin): RuleId {
  return origin === 'callback' ? 'callback.tee-time-shape' : specs.get(origin)!.rule;
}

/** Something about one answer: the rule it belongs to, and what is wrong or that it was there. */
export interface Judged {
  readonly seen: ReadonlyMap<RuleId, number>;
  readonly faults: readonly FieldFault[];
  /** Places of properties that the contract does not know. */
  readonly unknown: ReadonlySet<string>;
}

export interface FieldFault {
  readonly rule: RuleId;
  /** Where in the answer, as a JSON pointer. */
  readonly at: string;
  readonly message: string;
  readonly value: unknown;
}

/** Judges one answer by the schema of its origin. */
export function judgeAnswer(contract: Contract, origin: Origin, json: unknown): Judged {
  const validate: Validator = origin === 'callback' ? searchResult : responses[origin];
  const errors = validate(json) ? [] : distinct(validate.errors ?? []);
  const walk = new Walk(contract, origin, errors.length > 0);
  walk.visit(origin === 'callback' ? { $ref: 'SearchResult' } : contract.answer(origin).schema, json);
  const faults = errors.map((error) => faultOf(error, walk, origin, json));
  return { seen: walk.seen, faults, unknown: walk.unknown };
}

function faultOf(error: ValidationError, walk: Walk, origin: Origin, json: unknown): FieldFault {
  const { instancePath, keyword, params, message = 'is wrong' } = error;
  const missing = keyword === 'required' ? (params['missingProperty'] as string) : undefined;
  const at = missing === undefined ? instancePath : `${instancePath}/${missing}`;
  const schema = walk.schemaAt.get(instancePath);
  const missingRule = missing === undefined || !schema ? undefined : fieldRule(origin, { schema, field: missing });
  const rule = missingRule ?? walk.ruleAbove(instancePath) ?? answerRule(origin);
  const words = missing === undefined ? message : 'must be there';
  return { rule, at, message: words, value: valueAt(json, at) };
}

/** Of the errors of a choice only the deepest tell something; of several at one place the first does. */
function distinct(errors: readonly ValidationError[]): ValidationError[] {
  const inChoice = ({ keyword, schemaPath }: ValidationError): boolean => /anyOf|oneOf/.test(`${keyword}${schemaPath}`);
  const above = new Set<string>();
  for (const { instancePath } of errors) {
    for (let at = instancePath.lastIndexOf('/'); at >= 0; at = instancePath.lastIndexOf('/', at - 1)) {
      above.add(instancePath.slice(0, at));
      if (at === 0) break;
    }
  }
  const seen = new Set<string>();
  return errors.filter((error) => {
    const key = `${error.instancePath} ${error.keyword === 'required' ? error.params['missingProperty'] : ''}`;
    if (seen.has(key) || (inChoice(error) && above.has(error.instancePath))) return false;
    seen.add(key);
    return true;
  });
}

function valueAt(json: unknown, pointer: string): unknown {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keys.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], json);
}

const none: readonly Schema[] = [];

/** Follows an answer along its schema: which fields it has, and which rule each of its places belongs to. */
class Walk {
  readonly seen = new Map<RuleId, number>();
  readonly unknown = new Set<string>();
  readonly schemaAt = new Map<string, string>();
  readonly #ruleAt = new Map<string, RuleId>();
  readonly #rules = new Map<string, Map<string, RuleId | undefined>>();

  constructor(
    readonly contract: Contract,
    readonly origin: Origin,
    /** Whether places are noted, which only faults need. */
    readonly traces: boolean,
  ) {}

  visit(schema: Schema, value: unknown, path = '', place = ''): void {
    if (typeof value !== 'object' || value === null) return;
    const named = this.contract.deref(schema);
    const at = named.name ?? place;
    if (named.schema.properties && isObject(value)) this.#visitObject(named.schema, value, path, at);
    else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        const items = named.schema.prefixItems?.[index] ?? named.schema.items;
        if (items) this.visit(items, item, this.traces ? `${path}/${index}` : '', at);
      }
    }
    const { anyOf = none, oneOf = none } = named.schema;
    for (const option of anyOf === none ? oneOf : [...anyOf, ...oneOf]) {
      if (fitsLoosely(this.contract, option, value)) this.visit(option, value, path, at);
    }
  }

  /** The rule of the nearest field at or above a place. */
  ruleAbove(path: string): RuleId | undefined {
    for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
      const rule = this.#ruleAt.get(at);
      if (rule) return rule;
    }
    return undefined;
  }

  #ruleOf(place: string, field: string): RuleId | undefined {
    let known = this.#rules.get(place);
    if (!known) this.#rules.set(place, (known = new Map<string, RuleId | undefined>()));
    if (!known.has(field)) known.set(field, fieldRule(this.origin, { schema: place, field }));
    return known.get(field);
  }

  #visitObject({ properties, additionalProperties }: Schema, object: object, path: string, place: string): void {
    if (this.traces) this.schemaAt.set(path, place);
    for (const [name, value] of Object.entries(object)) {
      const inner = this.traces ? `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` : '';
      const property = properties![name];
      if (!property) {
        if (additionalProperties === false) this.unknown.add(place === '' ? name : `${place}.${name}`);
        continue;
      }
      const rule = this.#ruleOf(place, name);
      if (rule) {
        if (this.traces) this.#ruleAt.set(inner, rule);
        if (value !== null && value !== MASK) this.seen.set(rule, (this.seen.get(rule) ?? 0) + 1);
      }
      this.visit(property, value, inner, place === '' ? '' : `${place}.${name}`);
    }
  }
}

/** Of several forms of an object, the one that has most of its fields. */
function fitsLoosely(contract: Contract, schema: Schema, value: unknown): boolean {
  const { properties } = contract.deref(schema).schema;
  if (!properties || !isObject(value)) return !properties;
  return Object.keys(properties).some((name) => name in value);
}

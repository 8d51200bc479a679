import {
  rules as catalogue,
  type OperationId,
  operationOf,
  responses,
  type Rule,
  type RuleId,
  searchResult,
  type SchemaError,
  type Validator,
  isAmong,
} from '../../contract/index.js';
import type { Contract, Schema } from '../client/contract.js';
import { newestWith, operationIn } from '../client/operations.js';
import { MASK, isObject } from '../../common/index.js';

/** The places of errors, by the keys that lead to them. */
interface Trace {
  readonly path: string;
  readonly inner: Map<string, Trace>;
}

/** Where errors are. */
function traceOf(errors: readonly SchemaError[]): Trace {
  const root: Trace = { path: '', inner: new Map() };
  for (const { instancePath } of errors) {
    let trace = root;
    for (const key of instancePath.split('/').slice(1)) {
      let next = trace.inner.get(key);
      if (!next) trace.inner.set(key, (next = { path: `${trace.path}/${key}`, inner: new Map() }));
      trace = next;
    }
  }
  return root;
}

function innerOf(trace: Trace | undefined, key: string | number): Trace | undefined {
  return trace?.inner.get(typeof key === 'number' ? String(key) : key.replaceAll('~', '~0').replaceAll('/', '~1'));
}

const none: readonly Schema[] = [];
/** Properties of an answer, and characters of their names, that are listed where the contract has none. */
const [MOST_UNKNOWN, MOST_NAME] = [100, 200];

/** Walks an answer along its schema, and notes its fields and the rule of each position. */
class Walk {
  readonly seen = new Map<RuleId, number>();
  readonly unknown = new Set<string>();
  readonly objects = new Set<string>();
  readonly schemaAt = new Map<string, string>();
  readonly #ruleAt = new Map<string, RuleId>();
  readonly #rules = new Map<string, Map<string, RuleId | undefined>>();

  constructor(
    readonly contract: Contract,
    /** The rule of a field of a position. */
    readonly ruleFor: (position: string, field: string) => RuleId | undefined,
  ) {}

  /** @param trace The errors at or below the value: only their positions are noted. */
  visit(schema: Schema, value: unknown, trace: Trace | undefined, position = ''): void {
    if (typeof value !== 'object' || value === null) return;
    const named = this.contract.deref(schema);
    const at = named.name ?? position;
    if (named.schema.properties && isObject(value)) this.#visitObject(named.schema, value, trace, at);
    else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        const items = named.schema.prefixItems?.[index] ?? named.schema.items;
        if (items) this.visit(items, item, innerOf(trace, index), at);
      }
    }
    const { anyOf = none, oneOf = none } = named.schema;
    for (const option of anyOf === none ? oneOf : [...anyOf, ...oneOf]) {
      if (fitsLoosely(this.contract, option, value)) this.visit(option, value, trace, at);
    }
  }

  /** The rule of the nearest field at or above a position. */
  ruleAbove(path: string): RuleId | undefined {
    for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
      const rule = this.#ruleAt.get(at);
      if (rule) return rule;
    }
    return undefined;
  }

  /** The rules of the fields of a position, as far as they are known. */
  #rulesAt(position: string): Map<string, RuleId | undefined> {
    let known = this.#rules.get(position);
    if (!known) this.#rules.set(position, (known = new Map<string, RuleId | undefined>()));
    return known;
  }

  #visitObject(
    { properties, additionalProperties }: Schema,
    object: object,
    trace: Trace | undefined,
    position: string,
  ): void {
    if (trace) this.schemaAt.set(trace.path, position);
    this.objects.add(position);
    const rules = this.#rulesAt(position);
    for (const name of Object.keys(object)) {
      const value = (object as Readonly<Record<string, unknown>>)[name];
      const property = Object.hasOwn(properties!, name) ? properties![name] : undefined;
      if (!property) {
        if (additionalProperties === false) this.#noteUnknown(position, name);
        continue;
      }
      const inner = innerOf(trace, name);
      let rule = rules.get(name);
      if (rule === undefined && !rules.has(name)) rules.set(name, (rule = this.ruleFor(position, name)));
      if (rule) {
        if (inner) this.#ruleAt.set(inner.path, rule);
        if (value !== null && value !== MASK) this.seen.set(rule, (this.seen.get(rule) ?? 0) + 1);
      }
      if (typeof value === 'object') this.visit(property, value, inner, position === '' ? '' : `${position}.${name}`);
    }
  }

  #noteUnknown(position: string, name: string): void {
    if (this.unknown.size >= MOST_UNKNOWN) return;
    const shown = name.slice(0, MOST_NAME);
    this.unknown.add(position === '' ? shown : `${position}.${shown}`);
  }
}

/** The form of an object that has most of its fields. */
function fitsLoosely(contract: Contract, schema: Schema, value: unknown): boolean {
  const { properties } = contract.deref(schema).schema;
  if (!properties || !isObject(value)) return !properties;
  return Object.keys(properties).some((name) => name in value);
}

/** Items of a list that are evaluated at a time, so that their errors are not all in memory together. */
const ITEMS = 500;

/** An answer with only some items of its list. */
interface Portion {
  readonly json: unknown;
  /** The position in the whole answer of one in the portion; undefined for what the first portion has, too. */
  placeOf(at: string): string | undefined;
}

/** Divides an answer with a long list. */
function portionsOf(contract: Contract, schema: Schema, json: unknown): readonly Portion[] {
  const whole: Portion = { json, placeOf: (at) => at };
  const data = isObject(json) ? json['data'] : undefined;
  if (Array.isArray(data)) {
    const listed = contract.deref(schema).schema.properties?.['data'];
    // Items with a schema for each position are no list.
    if (data.length <= ITEMS || (listed && contract.deref(listed).schema.prefixItems)) return [whole];
    return divided(data, '/data', (items) => ({ ...(json as object), data: items }));
  }
  const [name, list] = longestOf(data);
  if (list.length <= ITEMS) return [whole];
  const key = name.replaceAll('~', '~0').replaceAll('/', '~1');
  return divided(list, `/data/${key}`, (items) => ({
    ...(json as object),
    data: { ...(data as object), [name]: items },
  }));
}

/** The longest list of an object and its name. */
function longestOf(data: unknown): readonly [name: string, list: readonly unknown[]] {
  let longest: readonly [string, readonly unknown[]] = ['', []];
  for (const [name, value] of isObject(data) ? Object.entries(data) : []) {
    if (Array.isArray(value) && value.length > longest[1].length) longest = [name, value];
  }
  return longest;
}

function divided(
  list: readonly unknown[],
  place: string,
  answerWith: (items: readonly unknown[]) => unknown,
): Portion[] {
  return Array.from({ length: Math.ceil(list.length / ITEMS) }, (_, turn) => ({
    json: answerWith(list.slice(turn * ITEMS, (turn + 1) * ITEMS)),
    placeOf(at) {
      if (!at.startsWith(`${place}/`)) return turn === 0 ? at : undefined;
      const [index, ...below] = at.slice(place.length + 1).split('/');
      return [place, Number(index) + turn * ITEMS, ...below].join('/');
    },
  }));
}

/** The origin of an answer: an operation, or the delivery of a search. */
export type Origin = OperationId | 'callback';

/** The operation whose answer it is; a delivery is that of the search. */
export function operationOfOrigin(origin: Origin): OperationId {
  return origin === 'callback' ? operationIn('searchTeeTimes') : origin;
}

/** A position in an answer: a schema and one of its fields. */
interface FieldPosition {
  readonly schema: string;
  readonly field: string;
}

/** Schemas of several versions whose fields have the same rules. */
const families: readonly (readonly string[])[] = [
  ['BookingV1', 'BookingV2', 'BookingV4'],
  ['FacilityDetailsV2', 'FacilityDetailsV3'],
  ['Address', 'FacilityAddress'],
];

/** Rules of fields of objects without a named schema, by position. */
const nested: Readonly<Record<string, RuleId>> = {
  'PriceRecord.availability.time': 'prices.item.availability.time',
  'PriceRecord.availability.available': 'prices.item.availability.available',
  'SearchResult.data.facilityId': 'callback.item.facilityId',
  'SearchResult.data.teeTimeV3': 'callback.item.teeTimeV3',
};

const withField = catalogue.filter((rule) => rule.field);

const found = new Map<string, RuleId | undefined>();

/** The rule of a field in the answers of one origin; undefined if there is none. */
export function fieldRule(origin: Origin, position: FieldPosition): RuleId | undefined {
  const key = `${origin} ${position.schema}.${position.field}`;
  if (!found.has(key)) found.set(key, findRule(origin, position));
  return found.get(key);
}

function findRule(origin: Origin, { schema, field }: FieldPosition): RuleId | undefined {
  const own = nested[`${schema}.${field}`];
  if (own) return own;
  const related = families.find((family) => family.includes(schema)) ?? [schema];
  const operation = operationOf(operationOfOrigin(origin));
  const fits = (rule: Rule, name: string): boolean =>
    rule.field!.schema === name && rule.field!.name === field && isAmong(operation, rule);
  for (const name of [schema, ...related]) {
    const found = withField.find((rule) => fits(rule, name));
    if (found) return found.id as RuleId;
  }
  return undefined;
}

/** The rule about the whole answer. */
export function answerRule(origin: Origin): RuleId {
  return origin === 'callback' ? 'callback.tee-time-shape' : operationOf(origin).rule;
}

/** The checked fields of one answer: its faults, and the rules whose fields it has. */
export interface CheckedFields {
  readonly seen: ReadonlyMap<RuleId, number>;
  readonly faults: ReadonlyMap<RuleId, FaultsOfRule>;
  /** Positions of properties that are not in the contract. */
  readonly unknown: ReadonlySet<string>;
  /** Positions of the objects in the answer. */
  readonly objects: ReadonlySet<string>;
}

/** The faults of an answer by one rule. */
interface FaultsOfRule {
  readonly first: FieldFault;
  times: number;
}

export interface FieldFault {
  readonly rule: RuleId;
  /** The position in the answer, as a JSON pointer. */
  readonly at: string;
  readonly message: string;
  readonly value: unknown;
}

/**
 * Checks one answer by the schema of its origin, or of the other form that the API specification gives the origin.
 *
 * @param counts Whether a fault counts.
 */
export function checkAnswer(
  contract: Contract,
  origin: Origin,
  json: unknown,
  counts: (fault: FieldFault) => boolean,
): CheckedFields {
  if (origin !== PLAIN_SHEET || !hasProducts(json)) return checkForm(contract, origin, json, counts);
  const checked = checkForm(contract, SHEET_WITH_PRODUCTS, json, counts);
  // Without an element of the plain form, nothing breaks the rules of its fields.
  return { ...checked, seen: new Map([...checked.seen, ...plainRules.map((id) => [id, 1] as const)]) };
}

const PLAIN_SHEET = operationIn('listTeeTimes', newestWith.plainSheet);
const SHEET_WITH_PRODUCTS = operationIn('listTeeTimes', newestWith.facilitySheet);
/** The rules of the fields that only the plain form has. */
const plainRules = withField
  .filter(({ field }) => field!.schema === 'TeeTimeV2' || field!.schema === 'TeeTimesV3')
  .map(({ id }) => id as RuleId);

function hasProducts(json: unknown): boolean {
  const data = isObject(json) ? json['data'] : undefined;
  return isObject(data) && Array.isArray(data['teeTimeV3']);
}

/** Errors of an answer after which no further portion is evaluated; a validator ends its lists at the same number. */
const MOST_ERRORS = 10_000;

function checkForm(
  contract: Contract,
  origin: Origin,
  json: unknown,
  counts: (fault: FieldFault) => boolean,
): CheckedFields {
  const schema = origin === 'callback' ? { $ref: 'SearchResult' } : contract.answer(origin).schema;
  const ruleFor = (position: string, field: string): RuleId | undefined =>
    fieldRule(origin, { schema: position, field });
  const walk = new Walk(contract, ruleFor);
  walk.visit(schema, json, undefined);
  const faults = new Map<RuleId, FaultsOfRule>();
  let left = MOST_ERRORS;
  for (const portion of portionsOf(contract, schema, json)) {
    const errors = left > 0 ? errorsOf(origin, portion.json) : [];
    if (errors.length === 0) continue;
    left -= errors.length;
    const traced = new Walk(contract, ruleFor);
    traced.visit(schema, portion.json, traceOf(errors));
    for (const error of errors) {
      const fault = faultOf(error, traced, origin, portion.json);
      const at = portion.placeOf(fault.at);
      if (at === undefined || !counts(fault)) continue;
      const known = faults.get(fault.rule);
      if (known) known.times += 1;
      else faults.set(fault.rule, { first: { ...fault, at }, times: 1 });
    }
  }
  return { seen: walk.seen, faults, unknown: walk.unknown, objects: walk.objects };
}

function errorsOf(origin: Origin, json: unknown): readonly SchemaError[] {
  const validate: Validator = origin === 'callback' ? searchResult : responses[origin];
  return validate(json) ? [] : distinct(validate.errors ?? []);
}

function faultOf(error: SchemaError, walk: Walk, origin: Origin, json: unknown): FieldFault {
  const { instancePath, keyword, params, message = 'is wrong' } = error;
  const missing = keyword === 'required' ? (params['missingProperty'] as string) : undefined;
  const at = missing === undefined ? instancePath : `${instancePath}/${missing}`;
  const schema = walk.schemaAt.get(instancePath);
  const missingRule = missing === undefined || !schema ? undefined : fieldRule(origin, { schema, field: missing });
  const rule = missingRule ?? walk.ruleAbove(instancePath) ?? answerRule(origin);
  const words = missing === undefined ? wordsOf(keyword, params, message) : 'must be there';
  return { rule, at, message: words, value: valueAt(json, at) };
}

/** What a value must be, in words: allowed values are listed, and a pattern is named. */
function wordsOf(keyword: string, params: SchemaError['params'], message: string): string {
  const { allowedValues, allowedValue, pattern } = params;
  if (Array.isArray(allowedValues)) return `must be ${allowedValues.map(String).join(' or ')}`;
  if (keyword === 'const') return `must be ${String(allowedValue)}`;
  return keyword === 'pattern' ? `must be ${patterns[String(pattern)] ?? 'a text of another form'}` : message;
}

const DATE = String.raw`\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`;
const TIME = String.raw`([01]\d|2[0-3]):[0-5]\d:[0-5]\d`;

/** The patterns of the contract in words. */
export const patterns: Readonly<Record<string, string>> = {
  [String.raw`\S`]: 'a text that is not blank',
  [String.raw`^\S+$`]: 'a text without spaces',
  '^[!-~]+$': 'visible ASCII characters, as a header has them',
  [`^${DATE}$`]: 'a date such as 2026-07-04',
  [`^${TIME}$`]: 'a time such as 07:20:00',
  [`^${DATE}T${TIME}$`]: 'a date with time such as 2026-07-04T07:20:00',
  [String.raw`^${DATE}T${TIME}\.\d{3}(Z|[+-]\d{2}:?\d{2})?$`]: 'a date with time such as 2026-07-04T07:20:00.000',
  '^[A-Za-z0-9]{3}$': 'a currency code of three letters',
  '^[A-Za-z]{2,3}([_-][A-Za-z0-9]+)*$': 'a language code such as en',
  '^(BOOKED|CANCELED|(?! *([Bb][Oo][Oo][Kk]|[Cc][Aa][Nn][Cc][Ee][Ll])).*)$': 'BOOKED or CANCELED',
};

/** Keeps the deepest errors of a choice of schemas, and the first of several errors at one position. */
function distinct(errors: readonly SchemaError[]): SchemaError[] {
  const inChoice = ({ keyword, schemaPath }: SchemaError): boolean => /anyOf|oneOf/.test(`${keyword}${schemaPath}`);
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

import type { RuleId, ValidationError } from '../../contract/index.js';
import { type Contract, type Schema } from '../client/contract.js';
import { isObject } from '../client/exchange.js';
import { MASK } from '../../common/index.js';

/** The places of errors, by the keys that lead to them. */
export interface Trace {
  readonly path: string;
  readonly inner: Map<string, Trace>;
}

/** Where errors are. */
export function traceOf(errors: readonly ValidationError[]): Trace {
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
export class Walk {
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

import type { Finding, InputSchema, InputValidator } from './generated/built/input-validators.js';
import { alternatives, closest, didYouMean, ValidationError, shown } from '../common/index.js';

/** The wording of a validation error. */
interface Wording {
  /** The input as a whole, such as "The body". */
  readonly whole: string;
  /** The words for an unknown member. Default: "is not known here". */
  readonly stray?: string;
  /** The position of the value in the input, such as `store.bookings[3]`. Default: the input itself. */
  readonly at?: string;
  /** What to do next, if there are too many known members to list. */
  readonly hint?: string;
  /** The members to suggest for an unknown one. Default: those of the schema that are free. */
  readonly members?: readonly string[];
}

const SHOWN = 80;

/**
 * Checks a value against its schema.
 *
 * @throws {ValidationError} naming the first invalid field, what it must be and its value.
 */
export function fit<T>(validate: InputValidator<T>, value: unknown, wording: Wording): T {
  if (validate(value)) return value;
  // The error of a whole `oneOf` comes after those of its branches.
  const finding = validate.errors!.at(-1)!;
  throw placed(finding.instancePath, errorOf(finding, wording));
}

function errorOf({ instancePath, keyword, params, parentSchema, data }: Finding, wording: Wording): ValidationError {
  const path = pathOf(instancePath, wording.at);
  const properties = parentSchema.properties ?? {};
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty']).slice(0, SHOWN);
    const names = Object.keys(properties);
    const at = `\`${memberOf(path, name)}\` ${wording.stray ?? 'is not known here'}`;
    const free = names.filter((one) => !Object.hasOwn(Object(data), one));
    const pointer = `${instancePath}/${name}`;
    const guess = didYouMean(name, wording.members ?? free);
    if (wording.hint) return placed(pointer, new ValidationError(`${at}.${guess} ${wording.hint}`, [wording.hint]));
    return placed(pointer, new ValidationError(`${at}; the known names are ${names.join(', ')}.${guess}`, names));
  }
  if (keyword === 'required') {
    const name = String(params['missingProperty']);
    const misspelt = Object.keys(Object(data)).find(
      (one) => !Object.hasOwn(properties, one) && closest(one.slice(0, SHOWN), [name]) !== undefined,
    );
    if (misspelt !== undefined) {
      const stray = { additionalProperty: misspelt };
      return errorOf({ instancePath, keyword: 'additionalProperties', params: stray, parentSchema, data }, wording);
    }
    return sentence(memberOf(path, name), properties[name] ?? tagOf(parentSchema, name), undefined, wording);
  }
  if (keyword !== 'discriminator') return sentence(path, parentSchema, data, wording);
  const tag = String(params['tag']);
  return sentence(memberOf(path, tag), tagOf(parentSchema, tag), params['tagValue'], wording);
}

/** Says where it is, unless it says so already. */
function placed(pointer: string, error: ValidationError): ValidationError {
  error.pointer ??= pointer;
  return error;
}

function memberOf(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** The property in which alternatives differ. */
function tagOf({ oneOf = [] }: InputSchema, tag: string): InputSchema {
  return { enum: oneOf.flatMap(({ properties: { [tag]: one } = {} }) => one?.enum ?? one?.const) };
}

function sentence(path: string, schema: InputSchema, got: unknown, { whole, hint }: Wording): ValidationError {
  const subject = path === '' ? whole : `\`${path}\``;
  const guess = typeof got === 'string' ? didYouMean(got.slice(0, SHOWN), choicesOf(schema)) : '';
  return new ValidationError(
    `${subject} must be ${dueOf(schema)}; got ${shown(got)}.${guess}${hint ? ` ${hint}` : ''}`,
    fitsOf(schema),
  );
}

/** `/store/bookings/3/players` as `store.bookings[3].players`. */
function pathOf(pointer: string, at = ''): string {
  const names = pointer.split('/').slice(1);
  return names.reduce((path, name) => {
    const plain = name.replaceAll('~1', '/').replaceAll('~0', '~').slice(0, SHOWN);
    if (/^\d+$/.test(plain)) return `${path}[${plain}]`;
    return path === '' ? plain : `${path}.${plain}`;
  }, at);
}

/** The requirement of a schema in words: "a whole number from 1 to 4". */
export function dueOf(schema: InputSchema): string {
  const { due, type, oneOf } = schema;
  if (due !== undefined) return due;
  const values = valuesOf(schema);
  if (values) return alternatives(values);
  if (oneOf) return oneOf.map(dueOf).join(' or ');
  if (Array.isArray(type)) return type.map((one) => (one === 'null' ? 'null' : typeDue(one, schema))).join(' or ');
  return typeDue(type as string | undefined, schema);
}

/** What fits, for programs: the allowed values, otherwise examples, otherwise the words. */
function fitsOf(schema: InputSchema): string[] {
  const values = valuesOf(schema) ?? schema.examples;
  return values ? values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))) : [dueOf(schema)];
}

function valuesOf(schema: InputSchema): readonly unknown[] | undefined {
  return 'const' in schema ? [schema.const] : schema.enum;
}

/** The words that are allowed, in whichever alternative. */
function choicesOf(schema: InputSchema): string[] {
  const values: readonly unknown[] = valuesOf(schema) ?? (schema.oneOf ?? []).flatMap(choicesOf);
  return values.filter((value): value is string => typeof value === 'string');
}

function typeDue(type: string | undefined, schema: InputSchema): string {
  switch (type) {
    case 'integer':
      return `a whole number${rangeOf(schema)}`;
    case 'number':
      return `a number${rangeOf(schema)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return schema.minItems === undefined ? 'a list' : `a list of at least ${schema.minItems}`;
    case 'object':
      return `an object${schema.properties ? ` with ${Object.keys(schema.properties).join(', ')}` : ''}`;
    default:
      return schema.pattern === undefined ? 'a string' : `a string that matches ${schema.pattern}`;
  }
}

function rangeOf({ minimum, maximum = Infinity, exclusiveMinimum }: InputSchema): string {
  if (exclusiveMinimum !== undefined) return ` greater than ${exclusiveMinimum}`;
  if (minimum === undefined) return '';
  return maximum >= Number.MAX_SAFE_INTEGER ? ` of at least ${minimum}` : ` from ${minimum} to ${maximum}`;
}

import fc from 'fast-check';
import type { OperationSpec } from '../../../src/contract/generated/operations.js';
import { anyCharacter } from '../any-text.js';
import { pathOf } from '../operations.js';

/** A request that anybody might send, made so that `Request` itself takes it. */
export interface Anything {
  readonly operation: OperationSpec;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** Text that means something to somebody: names of objects, escapes, ends of text, halves of characters. */
const charged = [
  ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null', 'undefined', 'NaN', 'Infinity', 'true'],
  ['-1', '-0', '0', '+1', '1e3', '1e400', '0x10', '9007199254740993', '9'.repeat(400), '1001', '1001,1001'],
  ['11-06-2026', '2026-06-11', '31-12-9999', '01-01-0000', '31-02-2026', '2026-06-11 10:00:00'],
  ['', ' ', '\u0000', '\r\n', '\u2028', '\ud800', '\udfff x', '\u202e', '🏌️', 'é', '\ufeff', '"', '\\', '`'],
  ['../..', '<script>', "' OR 1=1", '{facilityId}', '${x}', 'http://127.0.0.1:9/x', 'http://[::1]', 'http://%'],
].flat();

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...charged) },
  fc.string({ unit: anyCharacter }),
  fc.integer().map(String),
);

/** Escapes, good and broken, as they may stand in an address. */
const escape = fc.constantFrom('%', '%zz', '%ff', '%C3%28', '%00', '%2F', '%2e%2e', '%F0%9F%8F%8C', '%u0041', '+', ';');

/** As part of an address: escaped, or as it is where an address can hold it. */
const inAddress = fc.oneof(
  { weight: 3, arbitrary: text.map((one) => encodeURIComponent(one.replaceAll(/\p{Surrogate}/gu, '?'))) },
  escape,
  fc.tuple(escape, escape).map(([a, b]) => `1001${a}${b}`),
);

const deep = fc
  .tuple(fc.integer({ min: 1, max: 5000 }), fc.constantFrom(['[', ']'], ['{"a":', '}'], ['{"details":[', ']}']))
  .map(([times, [left, right]]) => left!.repeat(times) + 'null'.slice(left === '[' ? 4 : 0) + right!.repeat(times));

/** JSON, or text in its place; `1e400` is JSON that no number holds. */
const json = fc.oneof(
  fc.json(),
  deep,
  text,
  text.map((one) => JSON.stringify(one)),
  fc.constantFrom('1e400', '-1e400', '{"__proto__":{"players":1}}', '{"constructor":{"prototype":{}}}', '[[]]', '[{}]'),
);

type Fields = Readonly<Record<string, unknown>>;

/** A booking that is good but for some fields, written by hand so that names may repeat and be `__proto__`. */
const nearly = (good: Fields): fc.Arbitrary<string> => {
  const names = fc.oneof(fc.constantFrom(...Object.keys(good), '__proto__', 'linkedTeeTimeRef', 'netRate'), text);
  return fc.array(fc.tuple(names, json), { maxLength: 3 }).map((changes) => {
    const written = changes.map(([name, value]) => `${JSON.stringify(name)}:${value || 'null'}`);
    return `{${[JSON.stringify(good).slice(1, -1), ...written].join(',')}}`;
  });
};

/** Bodies for an operation, from what is nearly good to what is nothing. */
function bodiesFor({ bodies }: OperationSpec, good: Fields): fc.Arbitrary<string> {
  if (!bodies) return json;
  const one = nearly(good);
  const list = fc.array(one, { minLength: 1, maxLength: 3 }).map((items) => `[${items}]`);
  return fc.oneof(
    { weight: 3, arbitrary: one },
    { weight: 2, arbitrary: list },
    list.map((items) => `{"details":${items}}`),
    fc.tuple(one, json).map(([item, other]) => `[${item},${other}]`),
    json,
  );
}

const types = fc.constantFrom('application/json', 'application/json', 'application/json;charset=x', 'text/plain', '*');
/** Header values hold no line ends and nothing beyond one byte a character. */
const headerText = text.map((one) => one.replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '?').trim());
const headers = (body: boolean): fc.Arbitrary<Record<string, string>> =>
  fc
    .tuple(
      fc.dictionary(
        fc.constantFrom('accept', 'authorization', 'content-length', 'cookie', 'origin', 'host', 'teebox-scenario'),
        fc.oneof(headerText, fc.constantFrom('Basic', 'Basic %', 'Basic Og==', 'Bearer', 'bearer  x', 'Digest x')),
        { maxKeys: 1 },
      ),
      types,
    )
    .map(([some, type]) => (body ? { ...some, 'content-type': type } : some));

/** The address of an operation with some parameters replaced, doubled or left out, and others besides. */
function pathFor(operation: OperationSpec): fc.Arbitrary<string> {
  const [path, query] = pathOf(operation).split('?');
  const segments = path!.split('/');
  const inPath = operation.path.split('/').flatMap((part, index) => (part.startsWith('{') ? [index] : []));
  const ways = [fc.constant(path!)];
  if (inPath.length > 0) {
    const spoil = fc.tuple(fc.constantFrom(...inPath), inAddress);
    ways.push(spoil.map(([at, value]) => segments.with(at, value).join('/')));
  }
  const own = operation.parameters.flatMap(({ name, in: place }) => (place === 'query' ? [name] : []));
  const name = own.length > 0 ? fc.oneof(fc.constantFrom(...own), inAddress) : inAddress;
  const pairs = fc.array(
    fc.tuple(name, fc.constantFrom('=', '==', ''), inAddress).map((pair) => pair.join('')),
    { maxLength: 3 },
  );
  return fc.tuple(fc.oneof(...ways), fc.boolean(), pairs, fc.nat({ max: 9 })).map(([address, after, more, drop]) => {
    const good = (query ?? '').split('&').filter((pair, index) => pair !== '' && index !== drop);
    const all = after ? [...good, ...more] : [...more, ...good];
    return all.length === 0 ? address : `${address}?${all.join('&')}`;
  });
}

/** Requests of an operation, most of them wrong in one place or more. */
export function anything(operation: OperationSpec, good: Fields): fc.Arbitrary<Anything> {
  const { method } = operation;
  const takesBody = method === 'POST';
  return fc
    .record({ path: pathFor(operation), headers: headers(takesBody), body: bodiesFor(operation, good) })
    .map(({ body, ...rest }) => ({ operation, method, ...rest, ...(takesBody ? { body } : {}) }));
}

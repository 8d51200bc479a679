import type { RuleId } from '../../../src/contract/generated/rule-basis.js';
import type { OperationSpec, ParameterSpec } from '../../../src/contract/generated/operations.js';
import { everyOperation, pathOf } from '../operations.js';

/** A request that must be refused, and what the answer must say. */
export interface BadRequest {
  readonly given: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  /** Sent as it is. */
  readonly body?: string;
  readonly want: {
    readonly status: number;
    readonly rule: RuleId;
    /** Named at the start of the message, with the rule at its end. */
    readonly field?: string;
    readonly says?: string | RegExp;
  };
}

/** Undefined leaves the parameter out. */
type Bad = readonly [value: string | undefined, says: string];

const noDays = ['', '31-02-2026', '29-02-2027', '00-06-2026', '11-13-2026', '11/06/2026', '11-06-26', 'tomorrow'];

/** The text that a message has about a parameter, and values that the parameter may not have. */
type Wrong = readonly [says: string, values: readonly string[]];

function integers({ min, max, values, in: place }: ParameterSpec): Wrong {
  const number = 'must be a whole number';
  if (values) return [`must be ${values.join(' or ')}`, ['', '12', '0', '27', '-9', 'nine', '9.5']];
  if (max !== undefined) return [`${number} from ${min} to ${max}`, ['', '0', '5', '-1', '1.5', 'two', '2e0']];
  if (min !== undefined) return [`${number} of at least ${min}`, ['', '-1', 'x', '1.5', '1e1']];
  return [number, [...(place === 'query' ? [''] : []), 'x', '1.5', '1e3', '0x3E9', '1001,1002']];
}

/** What is wrong for each kind of parameter; any text in a path is well-formed. */
const kinds: Readonly<Record<ParameterSpec['kind'], (parameter: ParameterSpec) => Wrong>> = {
  integer: integers,
  boolean: () => ['must be true or false', ['', 'maybe', '1', 'TRUE']],
  date: () => ['must be a date that exists, written dd-mm-yyyy', [...noDays, '2026-06-11', '11-06-2026 10:00']],
  'date-either': () => ['must be a date', [...noDays, '2026-02-31', '2026-6-1']],
  integers: () => ['must be facility ids separated by commas', ['', 'x', ',', '1001,', '1001;1002', '1001,x', '1.5']],
  string: ({ in: place }) => ['must not be empty', place === 'query' ? [''] : []],
  url: () => ['must', ['', 'nowhere', '/results', 'ftp://127.0.0.1/x', 'javascript:1']],
  version: () => ['', []],
};

function badValues(parameter: ParameterSpec): readonly Bad[] {
  const [says, values] = kinds[parameter.kind](parameter);
  const missing: Bad = [undefined, parameter.kind === 'url' ? 'must not be empty' : says];
  return [
    ...(parameter.required && parameter.in === 'query' ? [missing] : []),
    ...values.map((value): Bad => [value, says]),
  ];
}

/** The path of an operation, good but for one parameter. */
function spoilt(operation: OperationSpec, { name, in: place }: ParameterSpec, value: string | undefined): string {
  if (place === 'path') {
    const others = operation.path.replace(`{${name}}`, encodeURIComponent(value!));
    return pathOf({ ...operation, path: others });
  }
  const [path, query] = pathOf(operation).split('?');
  const all = new URLSearchParams(query);
  if (value === undefined) all.delete(name);
  else all.set(name, value);
  return all.size === 0 ? path! : `${path}?${all}`;
}

/** Every parameter of every operation, with every value it may not have. */
export function badParameters(): readonly BadRequest[] {
  return everyOperation.flatMap((operation) =>
    operation.parameters.flatMap((parameter) =>
      badValues(parameter).map(([value, says]) => ({
        given: `${operation.id} with ${parameter.name} ${value === undefined ? 'missing' : JSON.stringify(value)}`,
        method: operation.method,
        path: spoilt(operation, parameter, value),
        want: { status: 400, rule: parameter.rule, field: parameter.name, says },
      })),
    ),
  );
}

/** Every operation with a parameter in its query, or one of no operation, sent twice. */
export function repeatedParameters(): readonly BadRequest[] {
  return everyOperation.flatMap((operation) => {
    const path = pathOf(operation);
    const named = operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name);
    return [...named, 'stranger'].map((name): BadRequest => {
      const good = new URLSearchParams(path.split('?')[1]).get(name) ?? 'true';
      const twice = new URLSearchParams([...new URLSearchParams(path.split('?')[1])].filter(([one]) => one !== name));
      for (let count = 1; count <= 2; count += 1) twice.append(name, good);
      return {
        given: `${operation.id} with ${name} twice`,
        method: operation.method,
        path: `${path.split('?')[0]}?${twice}`,
        want: { status: 400, rule: 'versions.query-once', field: name, says: 'must not be sent more than once; got 2' },
      };
    });
  });
}

/** Every operation with a range of dates, from a day after its last. */
function reversedRanges(): readonly BadRequest[] {
  return everyOperation.flatMap((operation) => {
    const named = (name: string) => operation.parameters.find((one) => one.name === name);
    const [from, to] = [named('fromDate'), named('toDate')];
    if (!from || !to) return [];
    const [path, query] = spoilt(operation, to, '11-06-2026').split('?');
    const reversed = new URLSearchParams(query);
    reversed.set('fromDate', '12-06-2026');
    const rule = operation.id === 'v5.listPrices' ? 'prices.range-order' : to.rule;
    return [
      {
        given: `${operation.id} from a day after the last`,
        method: operation.method,
        path: `${path}?${reversed}`,
        want: { status: 400, rule, field: 'toDate', says: 'must not be before `fromDate`' },
      },
    ];
  });
}

const FACILITIES = [1001, 1002, 1003, 1004, 1005, 1006];

function pricesOrder(query: Record<string, string>): string {
  return `/api/v5/price/insideDateRange?${new URLSearchParams({ facilityIds: '1001', ...query })}`;
}

/** Parameters that are good one by one. */
export const badTogether: readonly BadRequest[] = [
  ...reversedRanges(),
  {
    given: 'prices from a day after the last, in another year',
    method: 'GET',
    path: pricesOrder({ fromDate: '01-01-2027', toDate: '31-12-2026' }),
    want: { status: 400, rule: 'prices.range-order', field: 'toDate', says: 'must not be before `fromDate`' },
  },
  ...[FACILITIES, Array<number>(6).fill(1001)].map((facilities): BadRequest => ({
    given: `prices of six facilities, ${facilities}`,
    method: 'GET',
    path: pricesOrder({ facilityIds: facilities.join(), fromDate: '11-06-2026', toDate: '11-06-2026' }),
    want: { status: 400, rule: 'prices.facility-ids-limit', field: 'facilityIds', says: 'at most 5' },
  })),
  {
    given: 'an escape in a query that is none',
    method: 'GET',
    path: '/api/v3/facilities?country=%zz',
    want: { status: 400, rule: 'versions.path', field: 'query', says: 'must be percent-encoded' },
  },
];

import { hasFailed, type RequestRow } from '../../data/request-log.js';
import { partsOf } from './filter.js';

/** A place at which two values differ; undefined where one of them has nothing. */
export interface Difference {
  readonly where: string;
  readonly one: unknown;
  readonly other: unknown;
}

/** The innermost places at which two JSON values differ, and how many are the same. */
export function compareJson(
  one: unknown,
  other: unknown,
): { readonly found: readonly Difference[]; readonly same: number } {
  const found: Difference[] = [];
  let same = 0;
  const look = (left: unknown, right: unknown, where: string): void => {
    if (isContainer(left) && isContainer(right) && Array.isArray(left) === Array.isArray(right)) {
      for (const name of new Set([...Object.keys(left), ...Object.keys(right)]))
        look(left[name], right[name], placeIn(left, where, name));
    } else if (left === right || JSON.stringify(left) === JSON.stringify(right)) same += 1;
    else found.push({ where, one: left, other: right });
  };
  look(one, other, '');
  return { found, same };
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function placeIn(container: object, where: string, name: string): string {
  if (Array.isArray(container)) return `${where}[${name}]`;
  return where === '' ? name : `${where}.${name}`;
}

/** The method, the path and the parameters of a request. */
export function targetOf({ method, path }: Pick<RequestRow, 'method' | 'path'>): Readonly<Record<string, string>> {
  const [bare = '', query] = path.split('?');
  const parameters = [...new URLSearchParams(query)].map(([name, value]) => [`?${name}`, value]);
  return { method, path: bare, ...Object.fromEntries(parameters) };
}

/** The number of `req-17`. */
function numberOf(id: string): number {
  return Number(id.slice(id.indexOf('-') + 1));
}

/**
 * The request to compare one with: the nearest of the same operation that fared otherwise, of the same channel if
 * there is one.
 */
export function counterpartOf(row: RequestRow, rows: readonly RequestRow[]): RequestRow | undefined {
  const [, name] = partsOf(row);
  const others = rows.filter(
    (one) => name !== '' && one.state !== 'open' && partsOf(one)[1] === name && hasFailed(one) !== hasFailed(row),
  );
  const ofChannel = others.filter(({ channel }) => channel === row.channel);
  const far = ({ id }: RequestRow) => Math.abs(numberOf(id) - numberOf(row.id));
  return (ofChannel.length > 0 ? ofChannel : others).toSorted((a, b) => far(a) - far(b))[0];
}

/** The requests from one to another that may have changed what the later one found. */
export function changesBetween(one: string, other: string, rows: readonly RequestRow[]): readonly RequestRow[] {
  const [first, last] = [numberOf(one), numberOf(other)].sort((a, b) => a - b) as [number, number];
  return rows.filter(({ id, method, status, scenario }) => {
    const number = numberOf(id);
    const changes = method !== 'GET' && (status < 400 || scenario?.phase === 'after-commit') && status > 0;
    return number >= first && number < last && changes;
  });
}

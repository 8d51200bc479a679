import { decoded } from '../../common/index.js';
import { computed, signal } from '@preact/signals';

/** What the address asks for: `#/requests/req-12?status=404`. */
export interface ConsoleRoute {
  /** The id of a page; empty for the first one. */
  readonly page: string;
  /** What follows the page, decoded. */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
}

const hash = signal(location.hash);
addEventListener('hashchange', () => (hash.value = location.hash));

/** The current route. */
export const route = computed<ConsoleRoute>(() => {
  const [path = '', search = ''] = hash.value.replace(/^#\/?/, '').split(/\?(.*)/s);
  const [page = '', ...rest] = path.split('/').map(decoded);
  return { page, rest: rest.filter((part) => part !== ''), query: new URLSearchParams(search) };
});

type QueryValues = Readonly<Record<string, string | number | undefined>>;

/** The address of a page within the console, such as `#/requests/req-12?status=404`. */
export function hrefOf(parts: readonly string[], query: QueryValues | URLSearchParams = {}): string {
  const pairs = query instanceof URLSearchParams ? [...query] : Object.entries(query);
  const given = pairs.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]]));
  return `#/${parts.map(encodeURIComponent).join('/')}${given.length === 0 ? '' : `?${new URLSearchParams(given)}`}`;
}

/** Goes to an address. `replace` leaves no step in the history, as for what is typed into a filter. */
export function go(href: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  hash.value = location.hash;
}

/** What a field shows that stands for a name of the query, and what it does with what is typed. */
export function queryField(name: string) {
  const change = (value: string) => setQuery({ [name]: value });
  return { value: route.value.query.get(name) ?? '', change };
}

/** Sets values of the query and keeps the others; an empty value removes its name. */
export function setQuery(values: QueryValues): void {
  const { page, rest, query } = route.value;
  go(hrefOf([page, ...rest], { ...Object.fromEntries(query), ...values }), { replace: true });
}

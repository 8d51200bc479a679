import type { RequestRow } from '../../data/request-log.js';
import { outcomeOf } from './words.js';

/** The filters, as they stand in the address. */
export const filterNames = ['q', 'operation', 'version', 'channel', 'status', 'scenario'] as const;

export type RequestFilters = Readonly<Record<(typeof filterNames)[number], string>>;

export function filtersOf(query: URLSearchParams): RequestFilters {
  return Object.fromEntries(filterNames.map((name) => [name, query.get(name) ?? ''])) as RequestFilters;
}

/** `v5.createBooking` as version and name. A request outside of every operation has neither. */
export function partsOf({ operation = '' }: Pick<RequestRow, 'operation'>): readonly [version: string, name: string] {
  const [, version = '', name = operation] = /^(v\d+)\.(.*)$/.exec(operation) ?? [];
  return [version, name];
}

function fitsStatus(wanted: string, status: number): boolean {
  if (wanted === 'none') return status === 0;
  return /^\dxx$/.test(wanted) ? String(status).startsWith(wanted[0]!) : String(status) === wanted;
}

/** Whether a row shows all these words, in small letters, or has them in its detail. */
function hasWords(row: RequestRow, words: readonly string[]): boolean {
  const { id, method, path, operation, channel, state, status, rule, detail, scenario, warnings = [] } = row;
  const { head, reason } = outcomeOf(row);
  const facts = [id, method, path, operation, channel, status || state, rule, scenario?.id, scenario?.plan];
  const all = [...facts, head, reason, detail, ...warnings].join('\n').replaceAll('`', '').toLowerCase();
  return words.every((word) => all.includes(word));
}

export function newestFirst(rows: readonly RequestRow[], filters: RequestFilters): RequestRow[] {
  const { operation, version, channel, status, scenario } = filters;
  const words = filters.q.replaceAll('`', '').toLowerCase().split(/\s+/).filter(Boolean);
  const found: RequestRow[] = [];
  for (let at = rows.length - 1; at >= 0; at--) {
    const row = rows[at]!;
    if (channel !== '' && row.channel !== channel) continue;
    if (status !== '' && !fitsStatus(status, row.status)) continue;
    if (scenario !== '' && (scenario === 'any' ? !row.scenario : row.scenario?.id !== scenario)) continue;
    const [its, name] = operation === '' && version === '' ? ['', ''] : partsOf(row);
    if ((version !== '' && its !== version) || (operation !== '' && name !== operation)) continue;
    if (words.length === 0 || hasWords(row, words)) found.push(row);
  }
  return found;
}

/** The values that the requests have, for the lists to choose from. */
export function choicesOf(
  rows: readonly RequestRow[],
): Readonly<Record<'operation' | 'version' | 'channel' | 'scenario', string[]>> {
  const found = {
    operation: new Set<string>(),
    version: new Set<string>(),
    channel: new Set<string>(),
    scenario: new Set<string>(),
  };
  for (const row of rows) {
    const [version, name] = partsOf(row);
    found.operation.add(name);
    found.version.add(version);
    found.channel.add(row.channel ?? '');
    found.scenario.add(row.scenario?.id ?? '');
  }
  const listed = (values: Set<string>) => [...values].filter((value) => value !== '').sort();
  return {
    operation: listed(found.operation),
    version: listed(found.version),
    channel: listed(found.channel),
    scenario: listed(found.scenario),
  };
}

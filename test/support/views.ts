import type { SandboxOptions } from '../../src/engine/library.js';
import { type Client, open, type Reply } from './client.js';
import { dayIn, type Json, OPEN_FACILITY, queryText, teeTimesPath, type Wanted } from './scenes.js';

/** A search over several facilities and days. */
export interface SearchWish {
  readonly facilityIds?: readonly number[];
  readonly from?: number;
  readonly to?: number;
  readonly players?: number;
  readonly holes?: number;
  readonly callbackUrl?: string;
}

export const NOWHERE = 'http://127.0.0.1:9/results';

/** The query of a search; days are counted from the first one of the tests. */
export function searchQuery(wish: SearchWish = {}): Record<string, string> {
  const { facilityIds = [OPEN_FACILITY], from = 10, to = from, players = 1, holes = 18, callbackUrl = NOWHERE } = wish;
  return {
    facilityIds: facilityIds.join(','),
    fromDate: dayIn(from).query,
    toDate: dayIn(to).query,
    players: String(players),
    holes: String(holes),
    callbackUrl,
  };
}

export function search(client: Client, query: Readonly<Record<string, string | undefined>>): Promise<Reply> {
  return client.get(`/api/v5/teetimes?${queryText(query)}`);
}

/** Results are posted at once, to a receiver that takes everything. */
export const atOnce: Pick<SandboxOptions, 'fetch' | 'schedule'> = {
  fetch: async () => new Response(null, { status: 204 }),
  // The time limit of a delivery never runs out.
  schedule: (work, delay) => {
    let cancelled = delay >= 1000;
    queueMicrotask(() => {
      if (!cancelled) work();
    });
    return () => void (cancelled = true);
  },
};

export function openAtOnce(options: SandboxOptions = {}): ReturnType<typeof open> {
  return open({ ...atOnce, ...options });
}

/** The body that a search posts, read to its end. */
export async function resultOf(client: Client, wish: SearchWish): Promise<Json> {
  await search(client, searchQuery(wish));
  await client.sandbox.callbacks.settled();
  return JSON.parse(client.sandbox.callbacks.deliveries.at(-1)!.body!);
}

/** Price records of facilities from one day to another. */
export async function pricesOf(client: Client, ids: readonly number[], from: number, to = from): Promise<Json[]> {
  return (await pricesReply(client, ids, from, to)).body.data.records;
}

export function pricesReply(client: Client, ids: readonly number[], from: number, to = from): Promise<Reply> {
  return client.get(pricesPath({ facilityIds: ids.join(), fromDate: dayIn(from).query, toDate: dayIn(to).query }));
}

export function pricesPath(query: Readonly<Record<string, string | number | undefined>>): string {
  return `/api/v5/price/insideDateRange?${queryText(query)}`;
}

/** The same tee times through every window of the service. */
export type Views = Readonly<Record<'v2' | 'v3' | 'v4' | 'v5' | 'callback' | 'prices', readonly Json[]>>;

/** What all windows show of one facility and day; v5 is asked course by course. */
export async function viewsOf(client: Client, wanted: Wanted = {}): Promise<Views> {
  const { facilityId = OPEN_FACILITY, days = 10, players = 1, holes = 18 } = wanted;
  const list = async (path: string) => (await client.get(path)).body.data;
  const prices = await pricesOf(client, [facilityId], days);
  const v4 = teeTimesPath('v4', wanted);
  const courses = [...new Set(prices.map(({ courseId }) => courseId))];
  const v5 = [];
  for (const course of courses) {
    v5.push(...(await list(v4.replace(`v4/teetimes/${facilityId}`, `v5/teetimes/${facilityId}/${course}`))).teeTimeV3);
  }
  return {
    v2: await list(teeTimesPath('v2', wanted)),
    v3: (await list(teeTimesPath('v3', wanted))).teeTimeV2,
    v4: (await list(v4)).teeTimeV3,
    v5,
    callback: (await resultOf(client, { facilityIds: [facilityId], from: days, players, holes })).data[0].teeTimeV3,
    prices,
  };
}

/** Free slots of one tee time in every window that shows tee times; undefined where it is not shown. */
export function freeIn(views: Views, teeId: number): Record<string, number | undefined> {
  const withProducts = (name: 'v4' | 'v5' | 'callback') =>
    views[name].find(({ teeid }) => teeid === teeId)?.products[0].available;
  return {
    v2: views.v2.find(({ id }) => id === teeId)?.players,
    v3: views.v3.find(({ id }) => id === teeId)?.players,
    v4: withProducts('v4'),
    v5: withProducts('v5'),
    callback: withProducts('callback'),
  };
}

import type { Layer, Posted } from '../../deployment.js';
import type { Mutant } from '../mutant.js';
import { searching } from './search.js';

export const through: Layer = (request, go) => go(request);

/** Posts results in another way; it knows what the last request came with. */
export function posting(
  change: (posted: Posted, caller: string) => void,
  again = false,
): Pick<Mutant, 'layer' | 'posting'> {
  let caller = '';
  return {
    layer(request, go) {
      caller = request.headers.get('authorization') ?? caller;
      return go(request);
    },
    async posting(posted, deliver) {
      change(posted, caller);
      const status = await deliver(posted);
      return again && status === 500 ? deliver(posted) : status;
    },
  };
}

/** Plays a scenario of the sandbox on every search. */
const striking =
  (scenario: string): Layer =>
  async (request, go) => {
    if (!new URL(request.url).pathname.endsWith('/v5/teetimes')) return go(request);
    const headers = new Headers(request.headers);
    headers.set('teebox-scenario', scenario);
    return go(new Request(request, { headers }));
  };

/** Posts the result of the search before instead of that of a search. */
function lagging(): Pick<Mutant, 'layer' | 'delivery'> {
  let last: unknown;
  return {
    layer: through,
    delivery(json) {
      const posted = last ?? json;
      last = json;
      return posted;
    },
  };
}

/** Adds the elements of one search to the result of the next one. */
function gathering(): Pick<Mutant, 'layer' | 'delivery'> {
  const known: any[] = [];
  return {
    layer: through,
    delivery(json: any) {
      known.push(...json.data);
      const ids = json.data.map(({ facilityId }: any) => facilityId);
      const days = (id: number): any[] => known.filter(({ facilityId }) => facilityId === id);
      return {
        ...json,
        data: ids.map((facilityId: number) => ({
          facilityId,
          teeTimeV3: days(facilityId).flatMap((one) => one.teeTimeV3),
        })),
      };
    },
  };
}

/** Searches for another address than the one that was sent. */
export const addressed = (change: (url: string) => string): Layer =>
  searching((query) => {
    const url = query.get('callbackUrl');
    if (url?.startsWith('http')) query.set('callbackUrl', change(url));
  });

/** An address with another path. */
function inPath(url: string, change: (path: string) => string): string {
  const [path, ...query] = url.split('?');
  return [change(path!), ...query].join('?');
}

/** Mistakes of the delivery of a result. */
export const callbackMutants: readonly Mutant[] = [
  {
    rule: 'callback.timeout',
    defect: 'the service disconnects from a receiver that does not answer at once',
    layer: through,
    posting(posted, deliver) {
      const gone = new AbortController();
      queueMicrotask(() => gone.abort());
      return deliver(posted, gone.signal);
    },
    options: { callbackTimeout: 30_000 },
  },
  { rule: 'callback.trigger', defect: 'no result is ever posted', layer: striking('callback-never') },
  { rule: 'callback.method', defect: 'results are sent with PUT', ...posting((posted) => (posted.method = 'PUT')) },
  {
    rule: 'callback.after-ack',
    defect: 'the result is posted before the acknowledgement',
    layer: striking('callback-before-response'),
  },
  {
    rule: 'callback.one-per-facility',
    defect: 'a facility without tee times is left out',
    layer: through,
    delivery: (json: any) => ({ ...json, data: json.data.filter((one: any) => one.teeTimeV3.length > 0) }),
  },
  {
    rule: 'callback.one-per-facility',
    defect: 'the last facility is left out',
    layer: searching((query) => {
      const ids = query.get('facilityIds')?.split(',') ?? [];
      if (ids.length > 1) query.set('facilityIds', ids.slice(0, -1).join(','));
    }),
  },
  {
    rule: 'callback.one-per-facility',
    defect: 'the first facility is in the result twice',
    layer: through,
    delivery: (json: any) => ({ ...json, data: [...json.data, json.data[0]] }),
  },
  {
    rule: 'callback.once',
    defect: 'a result is posted twice',
    layer: through,
    async posting(posted, deliver) {
      await deliver(posted);
      return deliver(posted);
    },
  },
  { rule: 'callback.own-search', defect: 'a search gets the result of the search before', ...lagging() },
  { rule: 'callback.own-search', defect: 'results are gathered over several searches', ...gathering() },
  {
    rule: 'callback.address',
    defect: 'results are posted to the callback address without its query string',
    layer: addressed((url) => url.split('?')[0]!),
  },
  {
    rule: 'callback.address',
    defect: 'the query string of a callback address is decoded twice',
    layer: addressed(decodeURIComponent),
  },
  {
    rule: 'callback.address',
    defect: 'results are posted to the callback address in small letters',
    layer: addressed((url) => inPath(url, (path) => path.toLowerCase())),
  },
  {
    rule: 'callback.address',
    defect: 'the escapes in the path of a callback address are decoded',
    layer: addressed((url) => inPath(url, decodeURIComponent)),
  },
  {
    rule: 'callback.address',
    defect: 'the escapes in the path of a callback address are escaped again',
    layer: addressed((url) => inPath(url, (path) => path.replaceAll('%', '%25'))),
  },
  {
    rule: 'callback.address',
    defect: 'a search with a query string in its callback address is refused',
    layer: async (request, go) =>
      /callbackUrl=[^&]*(\?|%3F)/i.test(request.url)
        ? Response.json({ success: false, data: null, message: 'No.' }, { status: 400 })
        : go(request),
  },
  {
    rule: 'callback.filter',
    defect: 'a search ignores the number of holes',
    layer: searching((query) => query.set('holes', '18')),
  },
  {
    rule: 'callback.filter',
    defect: 'a search ignores the number of players',
    layer: searching((query) => query.set('players', '1')),
  },
  {
    rule: 'callback.filter',
    defect: 'a result contains tee times after its range',
    layer: through,
    delivery: (json: any) => {
      for (const { teeTimeV3 } of json.data) {
        const last = teeTimeV3.at(-1);
        const time = last && new Date(Date.parse(`${last.time}Z`) + 172_800_000).toISOString().slice(0, 19);
        if (last) teeTimeV3.push({ ...last, time });
      }
      return json;
    },
  },
  {
    rule: 'callback.agrees',
    defect: 'a result has at most ten tee times for each facility',
    layer: through,
    delivery: (json: any) => {
      for (const one of json.data) one.teeTimeV3 = one.teeTimeV3.slice(0, 10);
      return json;
    },
  },
  {
    rule: 'callback.agrees',
    defect: 'a result shows net rates as prices',
    layer: through,
    delivery: (json: any) => {
      for (const { teeTimeV3 } of json.data)
        for (const { products } of teeTimeV3)
          for (const { pricing } of products) for (const step of pricing) step.price = step.netRate;
      return json;
    },
  },
  { rule: 'callback.retries', defect: 'a failed delivery is posted again', ...posting(() => {}, true) },
  {
    rule: 'callback.signature',
    defect: 'results are signed',
    ...posting(({ headers }) => headers.set('x-signature', `sha256=${'0'.repeat(64)}`)),
  },
  {
    rule: 'callback.auth',
    defect: 'results are posted with the credentials of the channel',
    ...posting(({ headers }, caller) => headers.set('authorization', caller)),
  },
  {
    rule: 'callback.failure-body',
    defect: 'a failed search is reported to the callback address',
    layer: through,
    delivery: (json: any) =>
      json.data.some(({ facilityId }: any) => facilityId === 2_147_483_646)
        ? { success: false, data: null, message: 'There is no such facility.' }
        : json,
  },
];

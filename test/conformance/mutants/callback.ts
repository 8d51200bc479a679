import type { Layer, Posted } from '../deployment.js';
import type { Mutant } from './mutant.js';
import { searching } from './search.js';

const through: Layer = (request, go) => go(request);

/** Posts results in another way; it knows what the last request came with. */
function posting(change: (posted: Posted, caller: string) => void, again = false): Pick<Mutant, 'layer' | 'posting'> {
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

/** Mistakes of the delivery of a result. */
export const callbackMutants: readonly Mutant[] = [
  {
    rule: 'callback.timeout',
    defect: 'a receiver that thinks for a moment is hung up on',
    layer: through,
    posting(posted, deliver) {
      const gone = new AbortController();
      queueMicrotask(() => gone.abort());
      return deliver(posted, gone.signal);
    },
    options: { callbackTimeout: 30_000 },
  },
  { rule: 'callback.trigger', defect: 'no result is ever posted', layer: striking('callback-never') },
  { rule: 'callback.method', defect: 'results are put', ...posting((posted) => (posted.method = 'PUT')) },
  {
    rule: 'callback.after-ack',
    defect: 'the result overtakes the acknowledgement',
    layer: striking('callback-before-response'),
  },
  {
    rule: 'callback.one-per-facility',
    defect: 'a facility without tee times has no element',
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
    rule: 'callback.filter',
    defect: 'the number of players is not looked at',
    layer: searching((query) => query.set('players', '1')),
  },
  {
    rule: 'callback.filter',
    defect: 'the range ends a day late',
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
    defect: 'a result has at most ten tee times of a facility',
    layer: through,
    delivery: (json: any) => {
      for (const one of json.data) one.teeTimeV3 = one.teeTimeV3.slice(0, 10);
      return json;
    },
  },
  {
    rule: 'callback.agrees',
    defect: 'a result has the net rates for prices',
    layer: through,
    delivery: (json: any) => {
      for (const { teeTimeV3 } of json.data)
        for (const { products } of teeTimeV3)
          for (const { pricing } of products) for (const step of pricing) step.price = step.netRate;
      return json;
    },
  },
  { rule: 'callback.retries', defect: 'what fails is posted again', ...posting(() => {}, true) },
  {
    rule: 'callback.signature',
    defect: 'results are signed',
    ...posting(({ headers }) => headers.set('x-signature', `sha256=${'0'.repeat(64)}`)),
  },
  {
    rule: 'callback.auth',
    defect: 'results carry the credentials of the channel',
    ...posting(({ headers }, caller) => headers.set('authorization', caller)),
  },
  {
    rule: 'callback.failure-body',
    defect: 'a search that goes wrong is told of',
    layer: through,
    delivery: (json: any) =>
      json.data.some(({ facilityId }: any) => facilityId === 2_147_483_646)
        ? { success: false, data: null, message: 'There is no such facility.' }
        : json,
  },
];

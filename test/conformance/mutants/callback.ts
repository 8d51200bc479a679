import { Inbox } from '../../../src/conformance/receiver.js';
import { NOW } from '../../support/client.js';
import { type Layer, patience } from '../deployment.js';
import type { Mutant } from './mutant.js';
import { searching } from './search.js';

const through: Layer = (request, go) => go(request);

/** A delivery on its way, and the credentials that the search came with. */
interface Posted {
  method: string;
  readonly headers: Headers;
  readonly text: string;
  readonly caller: string;
}

/** Posts results in another way, once the layer has seen a request; without it they are posted as they should be. */
function posting(change: (posted: Posted) => void, again = false): Pick<Mutant, 'layer' | 'settings' | 'options'> {
  let caller: string | null = null;
  const inbox = new Inbox('http://inbox.test', { now: () => Date.parse(NOW), sleep: patience });
  const fetch = async (url: string, { method = 'GET', headers, body }: RequestInit): Promise<Response> => {
    const posted: Posted = { method, headers: new Headers(headers), text: String(body), caller: caller ?? '' };
    if (caller !== null) change(posted);
    const status = inbox.accept(url, posted);
    if (again && caller !== null && status === 500) inbox.accept(url, posted);
    return new Response(null, { status });
  };
  const layer: Layer = (request, go) => {
    caller = request.headers.get('authorization') ?? caller ?? '';
    return go(request);
  };
  return { layer, settings: { fetch }, options: { receiver: inbox } };
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
  { rule: 'callback.trigger', defect: 'no result is ever posted', layer: striking('callback-never') },
  { rule: 'callback.method', defect: 'results are put', ...posting((init) => (init.method = 'PUT')) },
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
    ...posting(({ headers, caller }) => headers.set('authorization', caller)),
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

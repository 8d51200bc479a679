import type { Mutant } from '../mutant.js';
import { addressed, posting, through } from './callbacks.js';
import { searching } from './search.js';

const known = new Set<string>();
let isOver = false;

/** Mistakes of results that show only beside other requests. */
export const resultMutants: readonly Mutant[] = [
  {
    rule: 'callback.content-type',
    defect: 'results are posted as text',
    ...posting(({ headers }) => headers.set('content-type', 'text/plain;charset=UTF-8')),
  },
  {
    rule: 'callback.content-type',
    defect: 'results are posted without a content type',
    ...posting(({ headers }) => headers.delete('content-type')),
  },
  {
    rule: 'callback.after-failure',
    defect: 'a failed delivery ends all deliveries',
    layer: through,
    async posting(posted, deliver) {
      if (isOver) return 200;
      const status = await deliver(posted);
      isOver = status >= 400;
      return status;
    },
    options: { callbackTimeout: 30_000 },
  },
  {
    rule: 'callback.trigger',
    defect: 'a second search with the same address is dropped',
    layer: addressed((url) => {
      if (known.has(url)) return 'http://inbox.test/dropped';
      known.add(url);
      return url;
    }),
  },
  {
    rule: 'callback.address',
    defect: 'the callback address is put in lower case',
    layer: addressed((url) => url.toLowerCase()),
  },
  {
    rule: 'callback.filter',
    defect: 'a search swaps day and month where it can',
    layer: searching((query) => {
      for (const name of ['fromDate', 'toDate']) {
        const [day = '', month = '', year = ''] = query.get(name)?.split('-') ?? [];
        if (year.length === 4 && Number(day) <= 12) query.set(name, `${month}-${day}-${year}`);
      }
    }),
  },
  {
    rule: 'callback.agrees',
    defect: 'a result has the first day of its range only, and dates are yyyy-mm-dd',
    settings: { dialect: { answers: { 'search.date-format': 'yyyy-mm-dd' } } },
    layer: through,
    delivery: (json: any) => {
      const first = json.data
        .flatMap(({ teeTimeV3 }: any) => teeTimeV3.map(({ time }: any) => time.slice(0, 10)))
        .sort()[0];
      for (const one of json.data) one.teeTimeV3 = one.teeTimeV3.filter(({ time }: any) => time.startsWith(first));
      return json;
    },
  },
  {
    rule: 'callback.agrees',
    defect: 'a result shows every slot as free',
    layer: through,
    delivery: (json: any) => {
      for (const { teeTimeV3 } of json.data)
        for (const { products } of teeTimeV3) for (const product of products) product.available = 4;
      return json;
    },
  },
  {
    rule: 'callback.agrees',
    defect: 'a search for several players finds only tee times with more free slots',
    layer: searching((query) => {
      const players = Number(query.get('players'));
      if (players > 1 && players < 4) query.set('players', String(players + 1));
    }),
  },
];

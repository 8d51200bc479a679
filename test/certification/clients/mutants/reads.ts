import type { PriceRecord } from '../partner/catalogue.js';
import { breaking, type ClientMutant } from './mutant.js';

export const readMutants: readonly ClientMutant[] = [
  ...breaking('limits.retry-after', [
    {
      name: 'ignores-retry-after',
      does: 'It sends a request again at once, although the service asked it to wait.',
      exams: ['rate-limited'],
      plant({ partner: { transport } }) {
        const pauseBefore = transport.pauseBefore.bind(transport);
        transport.pauseBefore = (...given) => (pauseBefore(...given) === undefined ? undefined : 0);
      },
    },
  ]),
  ...breaking('limits.backs-off', [
    {
      name: 'retries-at-once',
      does: 'It sends a request again at once, and again, where the service does not say how long to wait.',
      exams: ['long-outage'],
      plant({ partner: { transport } }) {
        const pauseBefore = transport.pauseBefore.bind(transport);
        transport.pauseBefore = (...given) => (pauseBefore(...given) === undefined ? undefined : 0);
      },
    },
  ]),
  ...breaking('paging.to-the-end', [
    {
      name: 'reads-first-page',
      does: 'It reads only the first page of the prices.',
      exams: ['small-pages'],
      plant({ partner: { catalogue, transport } }) {
        Object.assign(transport.agreement, { pageSize: 20 });
        catalogue.pagesOf = (ids, from, to) => catalogue.pageOf(ids, from, to, 0);
      },
    },
  ]),
  ...breaking('paging.stops', [
    {
      name: 'pages-past-the-end',
      does: 'It goes on asking for pages of prices after the last one.',
      exams: ['happy-day'],
      plant({ partner: { catalogue } }) {
        catalogue.pagesOf = async (ids, from, to) => {
          const found: PriceRecord[] = [];
          for (let page = 0; page < 12; page += 1) {
            found.push(...(await catalogue.pageOf(ids, from, to, page * 20)));
          }
          return found;
        };
      },
    },
  ]),
];

import type { Exam } from '../exam.js';
import { withoutTeeTimes } from './disguises.js';

/** Results of searches that do not arrive as they should. */
export const callbackExams: readonly Exam[] = (
  [
    {
      id: 'callback-late',
      title: 'A search result is late',
      does: 'The result of the first search comes late.',
      shows: ['callbacks.late', 'callbacks.answers'],
      arrange: ({ scenarios }, { late }) => void scenarios.arm('callback-late', { delay: late }),
    },
    {
      id: 'callback-repeated',
      title: 'Search results come twice',
      does: 'The result of each search is posted two times.',
      shows: ['callbacks.repeated', 'callbacks.answers'],
      arrange: ({ scenarios }) => void scenarios.arm('callback-duplicate', { times: 'always' }),
    },
    {
      id: 'callback-early',
      title: 'A search result comes before the answer',
      does: 'The result of the first search is posted before the search is answered.',
      shows: ['callbacks.out-of-order'],
      arrange: ({ scenarios }) => void scenarios.arm('callback-before-response'),
    },
    {
      id: 'callback-out-of-order',
      title: 'Search results come out of order',
      does: 'The result of the first search comes after that of the second.',
      shows: ['callbacks.out-of-order'],
      arrange: ({ scenarios }, { late }) => void scenarios.arm('callback-out-of-order', { delay: late }),
    },
    {
      id: 'callback-partial',
      title: 'A search result lacks a facility',
      does: 'The result of the first search lacks its last facility.',
      shows: ['callbacks.partial'],
      arrange: ({ scenarios }) => void scenarios.arm('callback-partial'),
    },
    {
      id: 'callback-empty',
      title: 'Search results have no tee times',
      does: 'No facility of a search result has a free tee time.',
      shows: ['callbacks.empty'],
      disguise: withoutTeeTimes,
    },
    {
      id: 'callback-malformed',
      title: 'A search result is not valid JSON',
      does: 'The JSON of the first search result ends in the middle.',
      shows: ['callbacks.partial'],
      arrange: ({ scenarios }) => void scenarios.arm('callback-malformed'),
    },
    {
      id: 'callback-missing',
      title: 'A search result never comes',
      does: 'The first search is acknowledged, and its result never comes.',
      shows: ['callbacks.missing'],
      arrange: ({ scenarios }) => void scenarios.arm('callback-never'),
    },
    {
      id: 'callback-signed',
      title: 'Search results are signed, and posted again',
      does: 'Search results carry Basic credentials and a signature. One that is not taken is posted up to two times more.',
      shows: ['callbacks.answers'],
      answers: { 'callback.auth': 'basic', 'callback.signature': 'hmac-sha256', 'callback.retries': 2 },
    },
  ] satisfies Exam[]
).map((exam) => ({ ...exam, versions: ['v5'], needs: ['searches'] }));

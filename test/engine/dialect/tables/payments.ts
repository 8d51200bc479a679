import type { Reply } from '../../../support/client.js';
import {
  bookBulk,
  bookGroup,
  bookOne,
  cancel,
  type Method,
  pay,
  payBulk,
  type PaymentVersion,
} from '../../../support/payments.js';
import { question, questionPerVersion, type QuestionTable, times } from '../question.js';

const METHODS: readonly Method[] = ['GET', 'POST'];
const tell = ({ status, headers }: Reply): unknown => [status, headers.get('allow')];

const methodRows = [
  [
    'both',
    [
      [200, null],
      [200, null],
    ],
  ],
  [
    'get',
    [
      [200, null],
      [405, 'GET'],
    ],
  ],
  [
    'post',
    [
      [405, 'POST'],
      [200, null],
    ],
  ],
] as const;

const method = (version: PaymentVersion): QuestionTable =>
  questionPerVersion('payment.method', version, {
    rules: ['payments.method'],
    probe: async ({ fairway }) => {
      const id = await bookOne(fairway);
      const others = (['v1', 'v3', 'v4', 'v5'] as const).filter((one) => one !== version);
      for (const other of others)
        for (const one of METHODS) if ((await pay(fairway, other, id, one)).status !== 200) return other;
      return Promise.all(METHODS.map(async (one) => tell(await pay(fairway, version, id, one))));
    },
    rows: methodRows,
  });

const bulkMethod = (version: 'v3' | 'v4' | 'v5'): QuestionTable =>
  questionPerVersion('bulk-payment.method', version, {
    rules: ['payments.method'],
    probe: async ({ fairway }) => {
      const { id } = await bookBulk(fairway);
      const others = (['v3', 'v4', 'v5'] as const).filter((one) => one !== version);
      for (const other of others)
        for (const one of METHODS) if ((await payBulk(fairway, other, id, one)).status !== 200) return other;
      return Promise.all(METHODS.map(async (one) => tell(await payBulk(fairway, version, id, one))));
    },
    rows: methodRows,
  });

const isPaused = ({ body, headers }: Reply): unknown =>
  body.success && /paused/.test(`${body.message} ${body.data?.message} ${headers.get('x-message')}`);

export const payments: readonly QuestionTable[] = [
  method('v1'),
  method('v3'),
  method('v4'),
  method('v5'),
  bulkMethod('v3'),
  bulkMethod('v4'),
  bulkMethod('v5'),

  question('payment.v5.paused-message', {
    rules: ['payments.paused.place'],
    probe: async ({ fairway }) => {
      const { body, headers } = await pay(fairway, 'v5', await bookOne(fairway));
      const paused = (text: unknown): boolean => /paused/.test(String(text));
      return {
        message: paused(body.message),
        data: paused(body.data?.message),
        header: paused(headers.get('x-message')),
      };
    },
    rows: [
      ['message', { message: true, data: false, header: false }],
      ['data', { message: false, data: true, header: false }],
      ['header', { message: false, data: false, header: true }],
    ],
  }),

  question('payment.v4.v2-path', {
    rules: ['payments.sample-path'],
    probe: async ({ fairway, links }) => {
      const id = await bookOne(fairway);
      const own = METHODS.map(async (one) => (await pay(fairway, 'v2', id, one)).status);
      return [...(await Promise.all(own)), (await pay(links, 'v2', id)).status];
    },
    rows: [
      ['absent', [404, 404, 404]],
      ['accepted', [200, 200, 404]],
    ],
  }),

  question('bulk-payment.v5.state', {
    rules: ['payments.confirm-bulk.state'],
    also: { 'payment.repeat': 'refused' },
    probe: async ({ fairway }) => {
      const { id } = await bookBulk(fairway);
      const paused = isPaused(await payBulk(fairway, 'v5', id));
      // What v5 did not confirm can still be confirmed in v4.
      return [paused, (await payBulk(fairway, 'v4', id)).status];
    },
    rows: [
      ['confirmed', [false, 400]],
      ['paused', [true, 200]],
    ],
  }),

  question('bulk-payment.group-ids', {
    rules: ['payments.confirm-bulk.group-ids'],
    probe: async ({ fairway }) => {
      const [{ id: group }, { id: bulk }] = [await bookGroup(fairway), await bookBulk(fairway)];
      const replies = (['v3', 'v4', 'v5'] as const).map(async (version) => [
        (await payBulk(fairway, version, group)).status,
        (await payBulk(fairway, version, bulk)).status,
      ]);
      return Promise.all(replies);
    },
    rows: [
      [
        'any',
        [
          [200, 200],
          [200, 200],
          [200, 200],
        ],
      ],
      [
        'v3-only',
        [
          [404, 200],
          [404, 200],
          [404, 200],
        ],
      ],
    ],
  }),

  question('payment.canceled', {
    rules: ['payments.canceled'],
    also: { 'booking.cancel': 'delete' },
    probe: async ({ fairway }) => {
      const { id, bookingIds } = await bookBulk(fairway);
      for (const one of bookingIds) await cancel(fairway, one);
      const single = (['v1', 'v3', 'v4'] as const).map(
        async (version) => (await pay(fairway, version, bookingIds[0]!)).status,
      );
      const bulk = (['v3', 'v4', 'v5'] as const).map(async (version) => (await payBulk(fairway, version, id)).status);
      return Promise.all([...single, ...bulk]);
    },
    rows: [
      ['refused', times(6, 400)],
      ['success', times(6, 200)],
    ],
  }),

  question('payment.repeat', {
    rules: ['payments.repeat'],
    probe: async ({ fairway }) => {
      const [one, { id }] = [await bookOne(fairway), await bookBulk(fairway)];
      const first = [await pay(fairway, 'v4', one), await payBulk(fairway, 'v4', id)];
      const second = [await pay(fairway, 'v1', one), await pay(fairway, 'v4', one), await payBulk(fairway, 'v3', id)];
      return [...first, ...second].map(({ status }) => status);
    },
    rows: [
      ['success', [200, 200, 200, 200, 200]],
      ['refused', [200, 200, 400, 400, 400]],
    ],
  }),
];

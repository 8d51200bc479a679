import { createHmac } from 'node:crypto';
import { search, searchQuery } from '../../../support/views.js';
import { question, type QuestionTable, type Scene } from '../question.js';

async function deliver(scene: Scene, facilityIds: readonly number[] = [1001]): Promise<void> {
  await search(scene.fairway, searchQuery({ facilityIds }));
  await scene.sandbox.callbacks.settled();
}

const passwordOf = ({ sandbox }: Scene): string => sandbox.channels[0]!.password;

/** Never answers; the sandbox has to give up. */
const silence = ({ signal }: RequestInit): Promise<Response> =>
  new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)));

export const callbacks: readonly QuestionTable[] = [
  question('callback.retries', {
    rules: ['callback.retries'],
    probe: async (scene) => {
      scene.receive = async () => new Response(null, { status: 500 });
      await search(scene.fairway, searchQuery());
      scene.sandbox.clock.advance(60_000);
      await scene.sandbox.callbacks.settled();
      const [delivery] = scene.sandbox.callbacks.deliveries;
      const same = new Set(scene.posts.map(({ body }) => body)).size === 1;
      return [scene.posts.length, same, delivery!.state, delivery!.attempts.map(({ status }) => status).join()];
    },
    rows: [
      [0, [1, true, 'failed', '500']],
      [1, [2, true, 'failed', '500,500']],
      [5, [6, true, 'failed', '500,500,500,500,500,500']],
    ],
  }),

  question('callback.timeout-seconds', {
    rules: ['callback.timeout'],
    probe: async (scene) => {
      scene.receive = silence;
      await deliver(scene);
      const [attempt] = scene.sandbox.callbacks.deliveries[0]!.attempts;
      return [Math.max(...scene.delays), attempt!.status, attempt!.error];
    },
    rows: [
      [1, [1000, null, 'no answer within 1 s']],
      [10, [10_000, null, 'no answer within 10 s']],
      [60, [60_000, null, 'no answer within 60 s']],
    ],
  }),

  question('callback.signature', {
    rules: ['callback.signature'],
    probe: async (scene) => {
      await deliver(scene);
      const { headers, body } = scene.posts[0]!;
      const due = `sha256=${createHmac('sha256', passwordOf(scene)).update(body).digest('hex')}`;
      const found = [...headers].find(([, value]) => value === due);
      return [found?.[0], headers.has('x-signature')];
    },
    rows: [
      ['none', [undefined, false]],
      ['hmac-sha256', ['x-signature', true]],
    ],
  }),

  question('callback.failure-body', {
    rules: ['callback.failure-body'],
    probe: async (scene) => {
      await deliver(scene, [1001, 2147483646]);
      const { success, data, message } = JSON.parse(scene.posts[0]!.body);
      return [scene.posts.length, success, data?.length ?? data, /2147483646/.test(message)];
    },
    rows: [
      ['none', [1, true, 2, false]],
      ['envelope', [1, false, null, true]],
    ],
  }),

  question('callback.auth', {
    rules: ['callback.auth'],
    probe: async (scene) => {
      await deliver(scene);
      const authorization = scene.posts[0]!.headers.get('authorization');
      return authorization && atob(authorization.replace('Basic ', '')) === `fairway:${passwordOf(scene)}`;
    },
    rows: [
      ['none', null],
      ['basic', true],
    ],
  }),
];

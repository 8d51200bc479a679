import fc from 'fast-check';
import { expect } from 'vitest';
import { adminOf } from '../../support/admin.js';
import { good } from '../../support/contract/admin-calls.js';
import { adminOperations, operationNamed } from '../../support/contract/admin-document.js';
import { sampled } from '../../support/sampled.js';
import { searchQuery, openAtOnce, search } from '../../support/views.js';

const SEED = 20260620;

const charged = [
  ['__proto__', 'constructor', 'null', '-1', '0', '1e400', '9007199254740993', '8640000000000000', 'PT0S', 'P99999W'],
  ['2026-06-01T08:00:00Z', '1999-12-31T23:59:59Z', '2200-01-01T00:00:00Z', 'req-1', 'req-1@1', 'callback-1', 'plan-1'],
  ['', ' ', '%', '..', 'a b', 'é', '\u0000', '🏌️', '"', 'http://me:s3cret@127.0.0.1:9/'],
].flat();
const text = fc.oneof(fc.constantFrom(...charged), fc.string({ maxLength: 20 }));

const bodies = good.flatMap(([, , , body]) => (body === undefined ? [] : [JSON.parse(JSON.stringify(body)) as object]));
/** A body that succeeds somewhere with some of its members replaced, or any JSON. */
const body = fc.oneof(
  fc
    .tuple(fc.constantFrom(...bodies), fc.array(fc.tuple(fc.nat(), fc.oneof(text, fc.jsonValue())), { maxLength: 2 }))
    .map(([one, changes]) => JSON.stringify(changes.reduce<object>(replaced, one))),
  fc.json(),
  text,
);

/** The object with one of its members, at any depth, replaced. */
function replaced(one: object, [index, value]: [number, unknown]): object {
  const names = Object.keys(one);
  const name = names[index % names.length];
  if (name === undefined) return one;
  const inner = (one as Record<string, unknown>)[name];
  const deeper = typeof inner === 'object' && inner !== null && index % 3 > 0;
  return { ...one, [name]: deeper ? replaced(inner, [Math.floor(index / 3), value]) : value };
}

// A verification may wait for minutes, and a stream has no end.
const endless = ['followEvents', 'followCertification', 'verifyRequests'];
const asked = adminOperations.map(({ id }) => id).filter((id) => !endless.includes(id));

/** A request of any operation: one that succeeds, or one with other parts. */
const request = fc.record({
  id: fc.constantFrom(...asked),
  part: fc.option(text, { freq: 2 }),
  query: fc.option(fc.tuple(text, text), { freq: 4 }),
  body: fc.option(body, { freq: 3 }),
});

sampled(
  'whatever the admin API is asked, it answers as its document says, and never fails',
  [20, 60],
  async (numRuns) => {
    const statuses = new Map<string, Set<number>>();
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 5, maxLength: 25 }), async (requests) => {
        const { sandbox, fairway } = await openAtOnce();
        const admin = adminOf(sandbox);
        await search(fairway, searchQuery());
        for (const { id, part, query, body: sent } of requests) {
          const { method, path: pattern, requestBody } = operationNamed(id);
          const [, usual] = good.find(([one]) => one === id)!;
          const [path = ''] = (
            part === null ? usual : pattern.replace(/\{\w+\}/, encodeURIComponent(part.replace(/^\.+$/, 'x')))
          ).split('?');
          const asking = query === null ? path : `${path}?${new URLSearchParams([query])}`;
          // Whether each answer is as described is checked by `admin`.
          const { status, text: answer } = await admin(method, asking, requestBody && sent !== null ? sent : undefined);
          expect({ asking, status, answer: status < 500 ? '' : answer }).toMatchObject({ asking, answer: '' });
          statuses.set(id, (statuses.get(id) ?? new Set()).add(status));
        }
        // It goes on as before.
        expect((await admin('POST', 'reset')).status).toBe(200);
        expect((await fairway.get('/api/v4/bookings')).status).toBe(200);
      }),
      { seed: SEED, numRuns, endOnFailure: true },
    );
    expect([...statuses.keys()].sort()).toEqual([...asked].sort());
    const answered = [...statuses.values()].flatMap((all) => [...all]);
    for (const status of [200, 204, 400, 404]) expect(answered).toContain(status);
  },
);

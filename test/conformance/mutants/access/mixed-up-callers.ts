import channels from '../../../../fixtures/channels.json' with { type: 'json' };
import type { Layer } from '../../deployment.js';
import { answering, type Listed, listing } from '../layers/booking-lists.js';
import type { Mutant } from '../mutant.js';

const bearerOf = (request: Request): string | undefined =>
  /^bearer (.*)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
const basicOf = (request: Request): readonly string[] =>
  atob(/^basic (.*)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '').split(':');
const withCredentials = (request: Request, authorization: string): Request => {
  const headers = new Headers(request.headers);
  headers.set('authorization', authorization);
  return new Request(request, { headers });
};

/** Gives requests that are under way at one time what the first of them gets: nobody else sees the difference. */
function together(
  fits: RegExp,
  keyOf: (request: Request) => Promise<string>,
  wins: (first: Response) => Response,
): Layer {
  const under = new Map<string, Promise<Response>>();
  return answering(fits, async (request, go) => {
    const key = await keyOf(request.clone() as Request);
    const first = under.get(key);
    if (first) return wins((await first).clone() as Response);
    const own = go(request);
    under.set(key, own);
    const response = (await own).clone() as Response;
    under.delete(key);
    return response;
  });
}

/** Compares tokens up to a length. */
function comparing(length: number): Layer {
  const known = new Map<string, string>();
  return async (request, go) => {
    const token = bearerOf(request);
    const response = await go(request.clone() as Request);
    if (token === undefined) return response;
    if (response.ok) known.set(token.slice(0, length), token);
    const other = known.get(token.slice(0, length));
    return response.status === 401 && other ? go(withCredentials(request, `Bearer ${other}`)) : response;
  };
}

/** Looks for a user and for a password, and not for both in one channel. */
function anyPassword(): Layer {
  const own = new Map(channels.map(({ username, password }) => [username, password]));
  return async (request, go) => {
    const [user = '', password = ''] = basicOf(request);
    const found = own.get(user);
    if (found === undefined || ![...own.values()].includes(password)) return go(request);
    return go(withCredentials(request, `Basic ${btoa(`${user}:${found}`)}`));
  };
}

/** Adds the last booking of the first channel to the list of the others. */
function leaking(version: string): Layer {
  let first: string | null = null;
  return async (request, go) => {
    first ??= request.headers.get('authorization');
    if (first === null || request.headers.get('authorization') === first) return go(request);
    const leaked: Listed[] = [];
    await listing(version, (items) => {
      leaked.push(...items.slice(-1));
      return items;
    })(withCredentials(request, first), go);
    return listing(version, (items) => [...items, ...leaked])(request, go);
  };
}

const textOf = (request: Request): Promise<string> => request.text();
const teeIdOf = async (request: Request): Promise<string> => {
  const body = (await request.json()) as any;
  return String([body].flat()[0].teeId);
};

/** Mistakes that show to two callers: at once, or of two channels. */
export const mixedUpCallerMutants: readonly Mutant[] = [
  {
    rule: 'tokens.single-use',
    defect: 'two concurrent refreshes with one token both succeed',
    layer: together(/refreshToken$/, textOf, (first) => first),
  },
  {
    rule: 'auth.invalid',
    defect: 'only the first eight characters of a token are compared',
    layer: comparing(8),
  },
  { rule: 'auth.channel-scope', defect: 'the password of one channel is accepted for another', layer: anyPassword() },
  {
    rule: 'bookings.effect.no-overbooking',
    defect: 'concurrent bookings all get the last slots',
    layer: together(/^POST .*bookings$/, teeIdOf, (first) =>
      first.ok ? Response.json({ success: true, data: { bookingId: 'SOLD-AT-ONCE' } }) : first,
    ),
  },
  {
    rule: 'bookings.list.channel-scope',
    defect: 'v4 shows the last booking of one channel to another channel',
    layer: leaking('v4'),
  },
];

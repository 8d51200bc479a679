import { Refused } from '../desk.js';
import type { Change } from '../run.js';
import { operations } from '../service.js';
import { replying, rewriting, sending, type Loose, withStatus, wrap } from '../vary.js';
import { type Defect, done, seen } from './row.js';

const auth = /^(auth|tokens)/;
const refresh = /refreshToken$/;

/** One endpoint that asks for no credentials. */
const open = (path: RegExp): Change =>
  wrap('answer', (before, service) => async (request) => {
    if (!path.test(new URL(request.url).pathname) || service.credentials(request.headers)) return before(request);
    const identify = service.identify;
    service.identify = () => service.channels[0]!;
    try {
      return await before(request);
    } finally {
      service.identify = identify;
    }
  });

const pair = (alter: (data: Loose) => void): Change => sending(refresh, ({ data }) => alter(data));
const token = (body: unknown): string => String((body as Loose)?.refresh_token);

/** Answers always the same, whatever is asked. */
const dead = (index: number, status: number): Change =>
  wrap('perform', (before) => (operation, ask) => {
    if (operation === operations[index]) throw new Refused(status, 'Something went wrong.');
    return before(operation, ask);
  });
const source = (index: number): string => operations[index]!.path.source.replaceAll('\\', '').slice(5, -1);
const isRead = (index: number): boolean => index < 4 || (index > 4 && index < 8) || index === 11;

export const access: readonly Defect[] = [
  seen('v1 bookings are open', auth, open(/v1.bookings$/)),
  seen('countries are open', auth, open(/countries/)),
  seen('details are open', auth, open(/v2.facilities.details/)),
  seen('prices are open', auth, open(/price/)),
  seen('tee times of v4 are open', auth, open(/v4.teetimes/)),
  done('bookings of v2 are open', auth, open(/v2.bookings$/)),
  done('payments are open', auth, open(/v3.bookings.payment/)),
  done('searches are open', auth, open(/v5.teetimes$/)),
  seen(
    'any bearer is taken',
    auth,
    wrap('byToken', (before, service) => (value) => before(value) ?? service.channels[0]!),
  ),
  seen('any password is taken', auth, (service) => {
    service.byPassword = (value) => service.channels.find(({ name }) => atob(value).startsWith(`${name}:`));
  }),
  seen(
    'any user is taken',
    auth,
    wrap('byPassword', (before, service) => (value) => before(value) ?? service.channels[0]!),
  ),
  seen(
    'an empty password is taken',
    auth,
    wrap('byPassword', (before, service) => (value) => {
      return before(value) ?? service.channels.find(({ name }) => atob(value) === `${name}:`);
    }),
  ),
  done(
    'a refresh token is a bearer',
    auth,
    wrap('byToken', (before, service) => (value) => before(value) ?? service.refresh.get(value)),
  ),
  done('access tokens never expire', auth, (service) => {
    service.lifetime = 15;
    service.byToken = (value) => service.access.get(value)?.channel;
  }),
  done(
    'every bearer is the first channel',
    auth,
    wrap('byToken', (before, service) => (value) => before(value) && service.channels[0]),
  ),
  done(
    'tokens of the other channel',
    auth,
    wrap('issue', (before, service) => (channel) => before(service.channels.find((one) => one !== channel)!)),
  ),
  done('a refresh token lasts', auth, (service) => (service.spend = () => undefined)),
  done(
    'a refresh gives the same token back',
    auth,
    wrap('refreshToken', (before, service) => (body, version) => {
      const channel = service.refresh.get(token(body));
      const answer = before(body, version) as Loose;
      service.refresh.set(token(body), channel!);
      return { ...answer, refresh_token: token(body) };
    }),
  ),
  done(
    'a refresh gives the same access token',
    auth,
    wrap('refreshToken', (before, service) => (body, version) => {
      const answer = before(body, version) as Loose;
      const [first] = service.access.keys();
      return { ...answer, access_token: first };
    }),
  ),
  done(
    'a bogus token kills the valid one',
    auth,
    wrap('refreshToken', (before, service) => (body, version) => {
      try {
        return before(body, version);
      } catch (error) {
        service.refresh.clear();
        throw error;
      }
    }),
  ),
  done(
    'a body without a token kills the valid one',
    auth,
    wrap('refreshToken', (before, service) => (body, version) => {
      if (!(body as Loose)?.refresh_token) service.refresh.clear();
      return before(body, version);
    }),
  ),
  done(
    'a bogus token kills the access tokens',
    auth,
    wrap('refreshToken', (before, service) => (body, version) => {
      try {
        return before(body, version);
      } catch (error) {
        service.access.clear();
        throw error;
      }
    }),
  ),
  done(
    'any refresh token is taken',
    auth,
    wrap('refreshToken', (before, service) => (body, version) => {
      return service.refresh.has(token(body)) ? before(body, version) : service.issue(service.channels[0]!);
    }),
  ),
  done(
    'the new refresh token does not work',
    auth,
    pair((data) => (data.refresh_token += '0')),
  ),
  done(
    'a lifetime as text',
    auth,
    pair((data) => (data.expires_in = String(data.expires_in))),
  ),
  done(
    'a lifetime as a date',
    auth,
    pair((data) => (data.expires_in = '2026-06-01T08:15:00')),
  ),
  done(
    'no lifetime',
    auth,
    pair((data) => delete data.expires_in),
  ),
  done(
    'tokens in camel case',
    auth,
    pair((data) => {
      data.accessToken = data.access_token;
      delete data.access_token;
    }),
  ),
  done(
    'tokens without an envelope',
    /^(auth|tokens|envelope)/,
    rewriting(refresh, ({ data }) => data),
  ),
  done(
    'no refresh',
    auth,
    replying(refresh, (response) => withStatus(response, 500)),
  ),
  done(
    'no refresh in v5',
    /^(auth|tokens|errors)/,
    replying(/v5.token/, (response) => withStatus(response, 503)),
  ),
];

/** Each operation answers nothing but a refusal. */
export const collapses: readonly Defect[] = operations.flatMap((_, index) =>
  [400, 405, 500].map((status) =>
    (isRead(index) ? seen : done)(`${source(index)} is always ${status}`, /./, dead(index, status)),
  ),
);

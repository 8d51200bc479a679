import { Refused } from '../desk.js';
import type { Change } from '../run.js';
import { replying, sending, setting, type Loose, withStatus, wrap } from '../vary.js';
import { type Defect, done, seen } from './row.js';

const auth = /^(auth|tokens)/;
const refresh = /refreshToken$/;

const pair = (alter: (data: Loose) => void): Change => sending(refresh, ({ data }) => alter(data));
const passwordOf = (value: string): readonly [user: string, password: string] => {
  const [user = '', ...rest] = atob(value).split(':');
  return [user, rest.join(':')];
};

/** Each version keeps the spent tokens by itself. */
const spentByVersion: Change = (service) => {
  const [spent, owners] = [new Map<string, Set<number>>(), new Map(service.refresh)];
  const [refreshes, issues] = [service.refreshToken.bind(service), service.issue.bind(service)];
  service.issue = (channel) => {
    const made = issues(channel) as { refresh_token: string };
    owners.set(made.refresh_token, channel);
    return made;
  };
  service.refreshToken = (body, version) => {
    const text = String((body as Loose)?.refresh_token);
    const [versions, channel] = [spent.get(text) ?? new Set<number>(), owners.get(text)];
    if (channel && versions.size > 0 && !versions.has(version)) service.refresh.set(text, channel);
    const made = refreshes(body, version);
    spent.set(text, versions.add(version));
    return made;
  };
};

export const tokens: readonly Defect[] = [
  done(
    'a lifetime in milliseconds',
    auth,
    pair((data) => (data.expires_in *= 1000)),
  ),
  done('a lifetime in minutes', auth, (service) => {
    pair((data) => (data.expires_in /= 60))(service);
  }),
  done('tokens expire at half their time', auth, (service) => {
    service.lifetime = 7;
    pair((data) => (data.expires_in = 15))(service);
  }),
  done('v2 takes expired tokens', auth, (service) => {
    service.lifetime = 15;
    wrap('identify', (before) => (headers, version) => {
      const value = service.credentials(headers).replace(/^bearer /i, '');
      return (version === 2 && service.access.get(value)?.channel) || before(headers, version);
    })(service);
  }),
  done('a spent token is taken by another version', auth, spentByVersion),
  done(
    'a refresh ends the tokens of all channels',
    auth,
    wrap('issue', (before, service) => (channel) => {
      service.access.clear();
      return before(channel);
    }),
  ),
  done(
    'a refresh ends the refresh tokens that were issued to any channel',
    auth,
    wrap('issue', (before, service) => (channel) => {
      const initial = service.channels.map(({ refreshToken }) => refreshToken);
      for (const known of service.refresh.keys()) if (!initial.includes(known)) service.refresh.delete(known);
      return before(channel);
    }),
  ),
  done(
    'a refresh with a list crashes',
    /^(auth|tokens|errors)/,
    wrap('refreshToken', (before) => (body, version) => {
      if (Array.isArray(body)) throw new Refused(500, 'ClassCastException');
      return before(body, version);
    }),
  ),
  done(
    'the scheme is part of the access token',
    auth,
    pair((data) => (data.access_token = `Bearer ${data.access_token}`)),
  ),
  done(
    'an access token with more behind it is taken',
    auth,
    wrap('byToken', (before) => (value) => before(value) ?? before(value.slice(0, -1))),
  ),
  done(
    'a refresh needs a user and a password',
    auth,
    wrap('answer', (before, service) => (request) => {
      if (refresh.test(new URL(request.url).pathname)) service.identify(request.headers, 5);
      return before(request);
    }),
  ),
  done(
    'an empty token kills the valid one',
    auth,
    wrap('refreshToken', (before, service) => (body, version) => {
      if ((body as Loose)?.refresh_token === '') service.refresh.clear();
      return before(body, version);
    }),
  ),
  done(
    'a token that is no text crashes',
    /^(auth|tokens|errors)/,
    wrap('refreshToken', (before) => (body, version) => {
      if (typeof (body as Loose)?.refresh_token === 'number') throw new Refused(500, 'ClassCastException');
      return before(body, version);
    }),
  ),
  done(
    'the access token is empty',
    auth,
    pair((data) => (data.access_token = '')),
  ),
  done(
    'a refresh answers with the access token alone',
    auth,
    pair((data) => delete data.refresh_token),
  ),
  done(
    'tokens in a list',
    /^(auth|tokens|envelope)/,
    sending(refresh, (body) => void (body.data = [body.data])),
  ),
  done(
    'no refresh in any version but 204',
    /^(auth|tokens|envelope)/,
    replying(refresh, (response) => withStatus(new Response(null, response), 204)),
  ),
  seen('a password with more behind it is taken', auth, (service) => {
    service.byPassword = (value) => {
      const [user, password] = passwordOf(value);
      return service.channels.find((one) => one.name === user && one.password === password.split(':')[0]);
    };
  }),
  seen('the beginning of a password is compared', auth, (service) => {
    service.byPassword = (value) => {
      const [user, password] = passwordOf(value);
      return service.channels.find((one) => one.name === user && password.startsWith(one.password));
    };
  }),
  done('the bookings of all channels by a bearer', auth, (service) => {
    let isBearer = false;
    wrap('identify', (before) => (headers, version) => {
      isBearer = /^bearer /i.test(service.credentials(headers));
      return before(headers, version);
    })(service);
    wrap('isOwn', (before) => (booking, channel) => isBearer || before(booking, channel))(service);
  }),
  done(
    'hours of a token by its text',
    auth,
    setting(refresh, 'expires_in', () => '1h'),
  ),
];

import { Refusal } from '../model/refusal.js';
import { basicCredentials, type Channel } from '../model/world.js';
import type { Answers, Version } from '../../contract/index.js';
import type { TokenStore } from '../store/tokens.js';

/** Reads one request header by its lower-case name. */
export type HeaderReader = (name: string) => string | undefined;
export type Authenticate = (header: HeaderReader, version: Version, now: number) => Channel;

const tokenOf = /^bearer +([^ ]+) *$/i;

/** Thrown by the world of strangers for a request that it must not answer. */
export class WorldNeeded extends Error {
  override readonly name = 'WorldNeeded';

  constructor(
    /** Whether the request only reads, so that the world need not be kept. */
    readonly isGlance: boolean,
    /** The body, if it was read. */
    readonly body?: string,
  ) {
    super('This request needs a world of its own.');
  }
}

const CHANNEL_REVOKED = 'The credentials of this channel were revoked. Please contact the operator.';

/** Why an access token is refused. */
const tokenWords = {
  unknown: 'The access token is not known.',
  expired: 'The access token has expired. Please refresh it with the most recent refresh token.',
  revoked: 'The access token was revoked. Please refresh it with the most recent refresh token.',
  'channel-revoked': CHANNEL_REVOKED,
};

/** Maximum number of spellings of valid credentials. */
const KEPT_SPELLINGS = 100;

/**
 * Which channel is calling (section "Authentication"). The scheme of each version, the header of the bearer
 * token and the status of a refusal are open questions; the rules of the token life cycle are not.
 */
export function createAuthenticate(channels: readonly Channel[], tokens: TokenStore, answers: Answers): Authenticate {
  const basic = new Map(channels.map((channel) => [basicCredentials(channel).slice('Basic '.length), channel]));

  const readToken = createTokenReader(answers);

  const refuse = (version: Version, rule: 'auth.required' | 'auth.bearer' | 'auth.basic', words: string): Refusal =>
    new Refusal('unauthorized', rule, { words, headers: challenge(answers, version) });

  const bearerChannel = (token: string, version: Version, now: number): Channel => {
    const outcome = tokens.authenticate(token, now);
    if ('channel' in outcome) return outcome.channel;
    throw refuse(version, 'auth.bearer', tokenWords[outcome.refused]);
  };

  const basicChannel = (value: string, version: Version): Channel => {
    const channel = basic.get(value);
    if (!channel) throw refuse(version, 'auth.basic', 'The user name or password is not known.');
    if (tokens.isRevoked(channel.name)) throw refuse(version, 'auth.basic', CHANNEL_REVOKED);
    return channel;
  };

  /** Valid Basic credentials by the whole value of their header, in the spellings that came first. */
  const known = new Map<string, Channel>();
  const ownHeader = answers['auth.bearer-header'].toLowerCase() !== 'authorization';

  return (header, version, now) => {
    const schemes = schemesOf(answers, version);
    const sent = ownHeader || schemes === 'bearer' ? undefined : header('authorization');
    const caller = sent === undefined ? undefined : known.get(sent);
    if (caller && !tokens.isRevoked(caller.name)) return caller;
    const token = schemes === 'basic' ? undefined : readToken(header);
    if (token) return bearerChannel(token, version, now);
    const authorization = header('authorization');
    if (schemes !== 'bearer' && authorization !== undefined && /^basic /i.test(authorization)) {
      const channel = basicChannel(authorization.slice(6).trim(), version);
      if (known.size < KEPT_SPELLINGS) known.set(authorization, channel);
      return channel;
    }
    throw refuse(version, 'auth.required', missing(answers, version, authorization));
  };
}

/** Reads the access token of a request, if it carries one (question `auth.bearer-header`). */
export function createTokenReader(answers: Answers): (header: HeaderReader) => string | undefined {
  const name = answers['auth.bearer-header'].toLowerCase();
  const ownHeader = name !== 'authorization';
  return (header) => {
    const value = header(name);
    return value === undefined ? undefined : (tokenOf.exec(value)?.[1] ?? (ownHeader ? value.trim() : undefined));
  };
}

function schemesOf(answers: Answers, version: Version): 'both' | 'basic' | 'bearer' {
  const schemes: Partial<Record<Version, 'both' | 'basic' | 'bearer'>> = answers['auth.schemes'];
  return schemes[version] ?? 'both';
}

function missing(answers: Answers, version: Version, authorization: string | undefined): string {
  const header = answers['auth.bearer-header'];
  const due = {
    both: `a bearer token in \`${header}\` or Basic credentials`,
    basic: 'Basic credentials',
    bearer: `a bearer token in \`${header}\``,
  }[schemesOf(answers, version)];
  const came = authorization === undefined ? 'none came' : 'what came in `Authorization` is neither';
  return `This operation needs ${due}; ${came}.`;
}

/** The challenge of a 401 (RFC 9110, section 11.6.1); other statuses carry none. */
function challenge(answers: Answers, version: Version): Record<string, string> {
  if (answers['auth.failure'] !== 401) return {};
  const schemes = schemesOf(answers, version);
  const offers = [
    ...(schemes === 'basic' ? [] : ['Bearer realm="teebox"']),
    ...(schemes === 'bearer' ? [] : ['Basic realm="teebox", charset="UTF-8"']),
  ];
  return { 'www-authenticate': offers.join(', ') };
}

const MINUTE = 60_000;

/** Requests per channel and minute; none by default, since the API specification shows no rate limit. */
export function createRateLimit(perMinute: number): ((channel: Channel, now: number) => void) | undefined {
  if (perMinute === 0) return undefined;
  const windows = new Map<string, { start: number; count: number }>();
  return (channel, now) => {
    let window = windows.get(channel.name);
    if (!window || now - window.start >= MINUTE || now < window.start) {
      windows.set(channel.name, (window = { start: now, count: 0 }));
    }
    window.count += 1;
    if (window.count <= perMinute) return;
    const wait = Math.ceil((window.start + MINUTE - now) / 1000);
    throw new Refusal('rate-limited', 'limits.rate', { headers: { 'retry-after': String(wait) } });
  };
}

// The masker of all outputs (`common/mask.ts`) cannot write a capsule: a replay needs the credentials back, each secret must
// stay apart from the others, and a text that only looks like a secret must stay as it is, because the response may depend on
// it. What a secret is called like, and how it may be spelled, is the same here as there.
import { basicCredentials, type Channel } from '../model/world.js';
import {
  decoded,
  fromBase64,
  isSecretMember,
  isSecretParameter,
  maskCredentials,
  Masker,
  spellingsOf,
  withoutEscapes,
} from '../../common/index.js';
import type { TokenKind } from '../store/tokens.js';

/** What placeholders begin with. Text that begins so itself is escaped. */
const OPENING = '{{secret ';
const LITERAL = '{{secret literal}}';
const placeholder = /\{\{secret ([a-z-]+)(?: ([\w.@-]+))?\}\}/g;
/** A number of JSON. */
const wholeNumber = /^\{\{secret number [\d.]+\}\}$/;
/** The form of the tokens of a sandbox; see `store/tokens.ts`. */
const ownToken = /7eeb0(?:acc|ef5)-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}/g;

/** A member of text that is no JSON: it may have other quotes, or break off in the value. */
const writtenMember = /(["'])([\w-]+)\1\s*:\s*(["'])((?:(?!\3)[^\\]){1,4096})/g;
/** A number of such a member, in whatever text. */
const writtenNumber = /((["'])([\w-]+)\2\s*:\s*)(-?\d[\d.eE+-]*)/g;
const userInfo = /\/\/([^/?#\s"@]+)@/g;
const scheme = /^(?:basic|bearer|digest) +([^ ].*)$/i;
const kinds: readonly TokenKind[] = ['access', 'refresh'];
/** A shorter secret, or a word, is replaced only where it is a text of its own: it may be part of any text. */
const LEAST = 6;
const word = /^[a-z]{1,15}$/i;
/** Shorter values of cookies, such as a language or a time zone, may be part of any text. */
const LEAST_COOKIE = 16;

/** Writes a value without the secrets in it. */
export class Concealer {
  readonly #names = new Map<string, string>();
  /** The secret of each spelling other than its own; those of the sandbox are public. */
  readonly #spellings = new Map<string, string>();
  readonly #masker = new Masker();
  /** The name of each secret that is a number, as it is written. */
  readonly #numbers = new Map<string, string>();
  /** The number of each token; made when the first one is met. */
  #tokens: ReadonlyMap<string, string> | undefined;
  #unknown = 0;
  /** Matches what may have to be replaced; most texts have nothing of it. */
  #any: RegExp | undefined;

  /** @param issued The number of tokens that the sandbox has issued. */
  constructor(
    channels: readonly Channel[],
    readonly tokenOf: (kind: TokenKind, number: number) => string,
    readonly issued: number,
    readonly bearerHeader: string,
  ) {
    for (const channel of channels) {
      const { name, password, refreshToken } = channel;
      this.#names.set(basicCredentials(channel).slice('Basic '.length), `basic ${name}`);
      this.#names.set(refreshToken, `first-refresh-token ${name}`);
      this.#names.set(password, `password ${name}`);
    }
  }

  /** Learns the secrets of the headers of a request. */
  readHeaders(headers: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(headers)) {
      const isSecret = maskCredentials(name, value) !== undefined || name === this.bearerHeader.toLowerCase();
      if (!isSecret) continue;
      const [, credentials = value] = scheme.exec(value) ?? [];
      this.#learn(credentials.trim());
      const pair = /^basic /i.test(value) ? fromBase64(credentials.trim()) : undefined;
      if (pair?.includes(':')) this.#learn(pair.slice(pair.indexOf(':') + 1));
      if (/cookie2?$/i.test(name)) this.#readCookies(value);
    }
  }

  #readCookies(header: string): void {
    for (const cookie of header.split(';')) {
      const value = cookie.slice(cookie.indexOf('=') + 1).trim();
      if (value.length >= LEAST_COOKIE) this.#learn(value);
    }
  }

  /** Learns the secrets of an address: in its parameters, and credentials also of addresses in them. */
  readUrl(url: string): void {
    for (const text of [url, decoded(url)]) for (const [, found] of text.matchAll(userInfo)) this.#learn(found!);
    const at = url.indexOf('?');
    if (at < 0) return;
    for (const pair of url.slice(at + 1).split('&')) {
      const [name = '', ...rest] = pair.split('=');
      const value = rest.join('=');
      if (isSecretParameter(decoded(name)) && value !== '') {
        this.#learn(value);
        this.#learn(decoded(value));
      } else if (decoded(value).includes('?')) this.readUrl(decoded(value));
    }
  }

  /** Learns the secrets of a body. */
  readText(text: string): void {
    for (const [, , , name, number] of text.matchAll(writtenNumber)) {
      if (isSecretMember(name!)) this.#learnNumber(number!);
    }
    // Text that is JSON is read as such: a secret in it may be long, or written with escapes.
    if (/^\s*[[{]/.test(text)) {
      try {
        return this.readJson(JSON.parse(text));
      } catch {
        // It is read as text.
      }
    }
    // The refusal of a text that is no JSON names a column, which depends on the length of what is before it.
    for (const [, , name, , value] of text.matchAll(writtenMember)) {
      if (isSecretMember(name!)) this.#learn(value!, `.${value!.length}`);
    }
  }

  /** Learns the secret members of JSON: each text and number in them. */
  readJson(value: unknown, isSecret = false): void {
    if (typeof value === 'string' && isSecret) this.#learn(value);
    if (typeof value === 'number' && isSecret) this.#learnNumber(String(value));
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) this.readJson(member, isSecret || isSecretMember(name));
  }

  /** An address without secrets. A value with an encoded one is encoded anew, in the usual way. */
  concealUrl(url: string): string {
    const at = url.indexOf('?');
    if (at < 0) return this.#concealed(url);
    const pairs = url
      .slice(at + 1)
      .split('&')
      .map((pair) => {
        const [name = '', ...rest] = pair.split('=');
        const value = decoded(rest.join('='));
        const isPlain = rest.length === 0 || this.#concealed(value) === value;
        return isPlain ? pair : `${name}=${this.#concealed(encodeURIComponent(value), encodeURIComponent)}`;
      });
    return this.#concealed(`${url.slice(0, at)}?${pairs.join('&')}`, (text) => text, false);
  }

  /** Plain JSON without the secrets that were learnt. */
  conceal<T>(value: T): T {
    const text = (text: string): string => (this.#mayHave(text) ? this.#concealed(text) : this.#respelled(text));
    return mapped(value, text, (number, isSecret) => {
      const name = this.#numbers.get(String(number));
      const isKnown = name !== undefined && (isSecret || this.#names.has(String(number)));
      return isKnown ? `${OPENING}number ${name}}}` : number;
    }) as T;
  }

  #mayHave(text: string): boolean {
    const found = [OPENING, '7eeb0', ...this.#names.keys(), ...this.#numbers.keys()];
    this.#any ??= new RegExp(found.map(literally).join('|'), 'i');
    return this.#any.test(text);
  }

  #learn(secret: string, length = ''): void {
    const name = this.#names.get(secret);
    if (name?.startsWith('unknown ') && !name.includes('.')) this.#names.set(secret, name + length);
    const known = this.#names.has(secret) || this.#ownName(secret) !== undefined;
    if (secret === '' || known || secret.includes(OPENING)) return;
    this.#names.set(secret, `unknown ${++this.#unknown}${length}`);
    if (secret.length >= LEAST && !word.test(secret)) {
      this.#masker.learn(secret);
      for (const spelling of spellingsOf(secret).slice(1)) this.#spellings.set(spelling, secret);
    }
    this.#any = undefined;
  }

  /** A short number may stand anywhere, so it is hidden as the value of its member alone. */
  #learnNumber(written: string): void {
    if (this.#numbers.has(written)) return;
    const name = `${++this.#unknown}.${written.length}`;
    this.#numbers.set(written, name);
    if (written.length >= LEAST) this.#names.set(written, `digits ${name}`);
    this.#any = undefined;
  }

  #concealed(text: string, written = (secret: string) => secret, escapes = true): string {
    let shown = escapes ? text.replaceAll(OPENING, LITERAL) : text;
    shown = shown.replace(ownToken, (token) => this.#tokenName(token));
    if (this.#numbers.size > 0) {
      shown = shown.replace(writtenNumber, (found: string, before: string, _, name: string, number: string) => {
        const known = isSecretMember(name) ? this.#numbers.get(number) : undefined;
        return known === undefined ? found : `${before}${OPENING}digits ${known}}}`;
      });
    }
    for (const [secret, name] of this.#names) {
      const part = written(secret);
      const by = `${OPENING}${name}}}`;
      const isPart = secret.length < LEAST || word.test(secret);
      shown = isPart ? replacedApart(shown, part, by) : shown.replaceAll(part, by);
    }
    return this.#respelled(shown);
  }

  /** A text without the secrets that are written in another way. */
  #respelled(text: string): string {
    return this.#masker.replaceKnown(text, (found) => {
      const secret = this.#secretOf(found);
      return secret === undefined ? found : `${OPENING}${this.#names.get(secret)!}}}`;
    });
  }

  /** The secret that a text spells, also by escapes within escapes. */
  #secretOf(text: string): string | undefined {
    if (this.#names.has(text)) return text;
    const plain = withoutEscapes(text);
    return this.#spellings.get(text) ?? (plain === text ? undefined : this.#secretOf(plain));
  }

  #tokenName(token: string): string {
    const name = this.#ownName(token);
    if (name !== undefined) return `${OPENING}${name}}}`;
    this.#learn(token);
    return token;
  }

  #ownName(token: string): string | undefined {
    if (!token.startsWith('7eeb0')) return undefined;
    this.#tokens ??= new Map(
      Array.from({ length: this.issued }, (_, index) => index + 1).flatMap((number) =>
        kinds.map((kind) => [this.tokenOf(kind, number), `${kind}-token ${number}`] as const),
      ),
    );
    return this.#tokens.get(token);
  }
}

function literally(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}

/** Replaces a short text where it is a whole value, or the credentials of an address. */
function replacedApart(text: string, part: string, by: string): string {
  const apart = new RegExp(`(?<=^|[=":@]|//|%2F%2F|basic +|bearer +)${literally(part)}(?=$|[&"@#]|%40)`, 'gi');
  return text.replace(apart, () => by);
}

/** Puts the secrets of a sandbox in the place of their placeholders. */
export function revealed<T>(
  value: T,
  channels: readonly Channel[],
  tokenOf: (kind: TokenKind, number: number) => string,
): T {
  const secretOf = (text: string, kind: string, name = ''): string => {
    const channel = channels.find((one) => one.name === name);
    switch (kind) {
      case 'literal':
        return OPENING;
      case 'access-token':
      case 'refresh-token':
        return tokenOf(kind === 'access-token' ? 'access' : 'refresh', Number(name));
      case 'unknown': {
        const [number, length] = name.split('.');
        const standIn = `unknown-secret-${number}`;
        return length === undefined ? standIn : standIn.padEnd(Number(length), '-').slice(0, Number(length));
      }
      case 'digits':
      case 'number': {
        const [number = '', length] = name.split('.');
        return number.padStart(Number(length), '7').slice(-Number(length));
      }
      case 'basic':
        return channel ? basicCredentials(channel).slice('Basic '.length) : text;
      case 'password':
        return channel?.password ?? text;
      case 'first-refresh-token':
        return channel?.refreshToken ?? text;
      default:
        return text;
    }
  };
  return mapped(value, (text) => {
    const shown = text.replace(placeholder, secretOf);
    return wholeNumber.test(text) ? Number(shown) : shown;
  }) as T;
}

/**
 * A copy of plain JSON with other texts, and other numbers.
 *
 * @param numberOf Is told whether the number is in a member that is named like a secret.
 */
function mapped(
  value: unknown,
  change: (text: string) => unknown,
  numberOf: (number: number, isSecret: boolean) => unknown = (number) => number,
  isSecret = false,
): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value === 'number') return numberOf(value, isSecret);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => mapped(one, change, numberOf, isSecret));
  const members = Object.entries(value).map(([name, member]) => [
    change(name),
    mapped(member, change, numberOf, isSecret || isSecretMember(name)),
  ]);
  return Object.fromEntries(members);
}

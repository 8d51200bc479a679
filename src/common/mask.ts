import { decoded } from './texts.js';

/** What is written instead of a secret. */
export const MASK = '***';

/** Credentials in an address: `//user:password@`. */
const userInfo = /\/\/[^/?#\s"]+@/g;
/** What the name of a secret ends with: of a header, a parameter or a member of JSON. */
const secretNames =
  'token|password|passwd|pwd|secret|signature|credentials?|auth|authorization|api[-_]?key|session[-_]?id';
/** In an address, `key` and `sig` are secrets, and `session` there and as a header; in a body, they are words as well. */
const secretParameters = `${secretNames}|session|key|sig`;
const secretValue = new RegExp(`((?:${secretParameters})=)[^&#\\s"]*`, 'gi');
const secretParameter = new RegExp(`(?:${secretParameters})$`, 'i');
/** Members of JSON, also of JSON within a string of JSON: a text up to its end, or a number. */
const secretMember = new RegExp(`((?:${secretNames})(\\\\*")\\s*:\\s*)(?:\\\\*"[^"\\\\]*|(-?\\d[\\d.e+-]*))`, 'gi');
const secretHeader = new RegExp(`(?:${secretNames}|session|cookie2?)$`, 'i');
const scheme = /^(basic|bearer|digest) /i;

/** Masks the credentials of addresses in a text. */
function maskUserInfo(text: string): string {
  return text.replace(userInfo, `//${MASK}@`);
}

/** Masks the values of parameters and of members of JSON that are named like a secret. */
function maskNamed(text: string): string {
  return text
    .replace(secretValue, `$1${MASK}`)
    .replace(secretMember, (_, name: string, quote: string, number?: string) =>
      number === undefined ? `${name}${quote}${MASK}` : `${name}${quote}${MASK}${quote}`,
    );
}

/** Whether a parameter of a query is named like a secret. */
export function isSecretParameter(name: string): boolean {
  return secretParameter.test(name);
}

/** Whether a member of JSON is named like a secret. */
export function isSecretMember(name: string): boolean {
  return secretMemberName.test(name);
}

/** Whether a header is a challenge: it names schemes too, but holds no credentials. */
function isChallenge(name: string): boolean {
  return /-authenticate$/i.test(name);
}

/** The masked value of a header that holds credentials, with their scheme; undefined for any other header. */
export function maskCredentials(name: string, value: string): string | undefined {
  const kept = isChallenge(name) ? undefined : scheme.exec(value)?.[1];
  if (kept !== undefined) return `${kept} ${MASK}`;
  return secretHeader.test(name) ? MASK : undefined;
}

const secretMemberName = new RegExp(`(?:${secretNames})$`, 'i');
/** The prefix of every token of a sandbox; see `store/tokens.ts`. */
const ownToken = /7eeb0(?:acc|ef5)[0-9a-f-]*/gi;
/** Maximum levels of JSON to show. Thousands can be parsed, but writing them would overflow the stack. */
const SHOWN_LEVELS = 64;
/** Maximum levels of URLs in the parameters of a URL. */
const NESTED_URLS = 3;

/** Masks the secrets in a text: credentials and tokens in URLs, secret members of JSON, tokens of the sandbox. */
export function maskText(text: string): string {
  return maskUserInfo(maskNamed(text).replace(ownToken, MASK));
}

/** Masks the value of a header; the scheme of credentials is kept. */
export function maskHeader(name: string, value: string, bearerHeader = 'authorization'): string {
  const masked = maskCredentials(name, value);
  if (masked !== undefined) return masked;
  if (name.toLowerCase() === bearerHeader.toLowerCase()) return MASK;
  return maskText(value);
}

/**
 * Masks JSON: the values of members with secret names, and whatever `text` masks in the others. Levels beyond the
 * maximum are cut off.
 */
export function maskJson(value: unknown, text: (text: string) => string = maskText, levels = SHOWN_LEVELS): unknown {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '...';
  if (Array.isArray(value)) return value.map((item) => maskJson(item, text, levels - 1));
  const members = Object.entries(value).map(([name, item]): [string, unknown] => [
    maskText(name),
    isSecretMember(name) ? MASK : maskJson(item, text, levels - 1),
  ]);
  return Object.fromEntries(members);
}

/**
 * Masks a URL, also if one of its parameters is a URL. The query is parsed rather than matched, because an encoded `&`
 * ends a value only inside a nested URL.
 */
export function maskAddress(address: string, levels = NESTED_URLS): string {
  const at = address.indexOf('?');
  const base = maskText(at < 0 ? address : address.slice(0, at));
  if (at < 0) return base;
  const pairs = address
    .slice(at + 1)
    .split('&')
    .map((pair) => maskPair(pair, levels));
  return `${base}?${pairs.join('&')}`;
}

function maskPair(pair: string, levels: number): string {
  const at = pair.indexOf('=');
  if (at < 0) return maskText(pair);
  const name = pair.slice(0, at).replace(ownToken, MASK);
  if (isSecretParameter(decoded(name))) return `${name}=${MASK}`;
  if (levels === 0) return `${name}=${maskText(pair.slice(at + 1))}`;
  const value = decoded(pair.slice(at + 1));
  const masked = maskAddress(withoutUserInfo(value), levels - 1);
  return masked === value ? pair : `${name}=${encodeURIComponent(masked)}`;
}

/** Parsed rather than matched: `http:/user:password@host` and `http:\\user:password@host` are addresses as well. */
function withoutUserInfo(text: string): string {
  if (!text.includes('@') || !URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.username === '' && url.password === '') return text;
  url.password = '';
  url.username = MASK;
  return url.href;
}

/** Hides data of persons, beside secrets. */
interface PersonalMask {
  /** Adds the data in a body that the run itself sends: it is made up, and is shown. */
  learnOwn(body: unknown): void;
  /** Adds the data in the JSON of an answer. */
  learn(answer: unknown): void;
  text(text: string): string;
  /** Like `text`, for the words of a finding, which may quote a name alone. */
  words(text: string): string;
}

/** A fast check before the slower patterns of names. */
const namesSecret = /token|passw|pwd|secret|api[-_]?key|sig|auth|credential|session|[?&;]key=/i;
/** Shorter values would also hide harmless text. */
const LEAST = 4;
/** Shorter secrets are hidden where they stand alone only. */
const PART = 6;
/** Characters of a secret that show it where a text breaks off, and elsewhere. */
const [LEAST_AT_END, LEAST_CUT] = [6, 8];
/** Shorter values of cookies and members of answers are words as often as secrets. */
const [LEAST_COOKIE, LEAST_ANSWERED] = [6, 8];
/** Servers of Node accept no longer header, and a longer value takes long to search for. */
const MOST = 16 * 1024;
/** The latest secrets are kept: a client may be given a token with every request. */
const MOST_SECRETS = 5000;
const DOTS = '...';
/** Headers that are kept of a message. */
const MOST_HEADERS = 100;
const basicValue = /^basic +([\w+/=-]+)$/i;
const schemeOf = /^[a-z][\w-]* +/i;
const cookieName = /cookie2?$/i;
const writtenMember = new RegExp(
  `(?:${secretNames})"\\s*:\\s*(?:("(?:[^"\\\\]|\\\\.){1,8192}")|(-?\\d[\\d.e+-]{0,100}))`,
  'gi',
);
const formField = /(?:^|&)([^=&]{1,100})=([^&]{1,8192})/g;
/** Values that stand in many texts: addresses and media types. A part of them is no part of a secret. */
const ordinary = /^(?:https?:|[a-z]+\/)/i;
const delimiter = /["'\s:=&@,;()<>]/;

/**
 * The one masker of all outputs. It hides the secrets that it was told of or has seen, in whatever spelling they come
 * back, and values with a name like a secret's.
 */
export class Masker {
  /** The spellings of each secret, the one that was seen last at the end. */
  readonly #known = new Map<string, readonly string[]>();
  /** All spellings by the hash of their first characters, so that a text is searched for all of them at once. */
  readonly #index = new Map<number, string[]>();
  /** Which hashes the index may have: a text has many places that begin no secret, and this says so sooner than a map. */
  readonly #hashes = new Uint8Array(0x10000);
  /** Headers whose values are hidden, whatever they are. */
  readonly #headers = new Set<string>();

  #learnt = 0;

  readonly bearerHeader: string;
  /** Hides data of persons too; undefined where it is to be shown. */
  personal: PersonalMask | undefined;

  /** @param bearerHeader The header of the bearer token, which a dialect names. */
  constructor(bearerHeader = 'authorization') {
    this.bearerHeader = bearerHeader.toLowerCase();
  }

  /** How many secrets it has learnt: what was masked when there were fewer may still show the others. */
  get learnt(): number {
    return this.#learnt;
  }

  /** Adds secrets to hide. */
  learn(...secrets: readonly (string | undefined)[]): void {
    for (const given of secrets) {
      const secret = given?.trim().slice(0, MOST);
      if (secret === undefined || secret.length < LEAST || secret === MASK) continue;
      const spellings = this.#known.get(secret);
      if (spellings) {
        this.#known.delete(secret);
        this.#known.set(secret, spellings);
      } else this.#add(secret);
    }
  }

  /** Adds headers whose values are to hide. */
  learnHeaders(headers: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(headers)) {
      this.#headers.add(name.toLowerCase());
      this.learn(value, value.replace(schemeOf, ''));
      this.learnCredentials(name, value);
    }
  }

  /** Adds the secrets of a request: of its headers, its address and its body. */
  learnRequest(headers: Headers, url: string, body?: string): void {
    this.#learnFrom(headers);
    this.#learnUrl(url);
    if (body !== undefined && namesSecret.test(body)) {
      this.#learnMembers(body, LEAST);
      if (/^[\w.-]+=/.test(body)) this.#learnPairs(body);
    }
  }

  /** Adds the secrets of an answer: cookies, and tokens that it issues. */
  learnResponse(headers: Headers, body?: string): void {
    this.#learnFrom(headers);
    if (body !== undefined && namesSecret.test(body)) this.#learnMembers(body, LEAST_ANSWERED);
  }

  /** Masks the secrets that are known by now, in a text that may have been masked before. */
  known(text: string): string {
    return this.replaceKnown(text, () => MASK);
  }

  text(text: string): string {
    let masked = this.known(text);
    if (namesSecret.test(masked)) masked = maskNamed(masked);
    masked = maskUserInfo(masked);
    return this.personal?.text(masked) ?? masked;
  }

  /** Like {@link text}, for the words of a finding. */
  cut(text: string): string {
    const plain = this.text(text);
    return this.personal?.words(plain) ?? plain;
  }

  headers(headers: Headers): Record<string, string> {
    const kept = [...headers].slice(0, MOST_HEADERS);
    return Object.fromEntries(kept.map(([name, value]) => [name, this.#header(name, value)]));
  }

  #header(name: string, value: string): string {
    if (this.#headers.has(name)) return MASK;
    return maskCredentials(name, value) ?? (name === this.bearerHeader ? MASK : this.text(value));
  }

  #learnFrom(headers: Headers): void {
    for (const [name, value] of headers) {
      const isSecret =
        this.#headers.has(name) || name === this.bearerHeader || maskCredentials(name, value) !== undefined;
      if (isSecret) this.learnCredentials(name, value);
    }
  }

  /** Adds the secrets in the value of a header: those of its scheme, or each cookie. */
  learnCredentials(name: string, value: string): void {
    if (cookieName.test(name)) return this.#learnCookies(name, value);
    const [, encoded] = basicValue.exec(value) ?? [];
    if (encoded !== undefined) this.#learnBasic(encoded);
    this.learn(value.replace(schemeOf, ''));
  }

  #learnBasic(encoded: string): void {
    const pair = fromBase64(encoded);
    if (pair === undefined) return;
    const at = pair.indexOf(':');
    if (at >= 0) this.learn(pair, pair.slice(at + 1));
  }

  #learnCookies(name: string, value: string): void {
    const pairs = name.toLowerCase().startsWith('set-') ? [value.split(';', 1)[0]!] : value.split(';');
    for (const pair of pairs) {
      const cookie = pair
        .slice(pair.indexOf('=') + 1)
        .trim()
        .replace(/^"(.*)"$/, '$1');
      if (cookie.length >= LEAST_COOKIE) this.learn(cookie, decoded(cookie));
    }
  }

  /** The secrets of an address: credentials, and parameters that are named so, also of addresses in parameters. */
  #learnUrl(url: string, levels = NESTED_URLS): void {
    for (const [, user = ''] of url.matchAll(/\/\/([^/?#\s"@]+)@/g)) {
      const password = user.slice(user.indexOf(':') + 1);
      this.learn(password, decoded(password));
    }
    const at = url.indexOf('?');
    if (at >= 0) this.#learnPairs(url.slice(at + 1), levels);
  }

  #learnPairs(text: string, levels = 0): void {
    for (const [, name = '', value = ''] of text.matchAll(formField)) {
      const plain = decoded(value.replaceAll('+', ' '));
      if (isSecretParameter(decoded(name))) this.learn(value, plain);
      else if (levels > 0 && /[?@]/.test(plain)) this.#learnUrl(plain, levels - 1);
    }
  }

  #learnMembers(text: string, least: number): void {
    for (const [, quoted = '', number] of text.matchAll(writtenMember)) {
      const value = number ?? fromJson(quoted);
      if (value !== undefined && value.length >= least) this.learn(value);
    }
  }

  #add(secret: string): void {
    const spellings = spellingsOf(secret);
    this.#known.set(secret, spellings);
    this.#learnt += 1;
    for (const spelling of spellings) {
      const hash = hashOf(spelling, LEAST - 1);
      const found = this.#index.get(hash);
      // The longest one first: a shorter one may be a part of it.
      if (found) found.splice(positionIn(found, spelling), 0, spelling);
      else this.#index.set(hash, [spelling]);
      this.#hashes[hash] = 1;
    }
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_SECRETS) this.#drop(oldest!);
  }

  #drop(secret: string): void {
    for (const spelling of this.#known.get(secret)!) {
      const found = this.#index.get(hashOf(spelling, LEAST - 1));
      const at = found?.indexOf(spelling) ?? -1;
      if (at >= 0) found!.splice(at, 1);
    }
    this.#known.delete(secret);
  }

  /** A text with something else instead of the secrets that are known, and of the part where it breaks off within one. */
  replaceKnown(text: string, by: (found: string) => string): string {
    if (this.#known.size === 0) return text;
    let [masked, from] = ['', 0];
    for (const [at, end] of this.#places(text)) {
      masked += text.slice(from, at) + by(text.slice(at, end));
      from = end;
    }
    return from === 0 ? text : masked + text.slice(from);
  }

  /** The places of secrets in a text, and in what its escapes say: each encoder escapes other characters. */
  #places(text: string, levels = NESTED_URLS): readonly Place[] {
    const own = [...this.#placesIn(text)];
    if (levels === 0 || !hasEscape.test(text)) return own;
    const read = readingsOf(text).flatMap(({ plain, inText }) =>
      this.#places(plain, levels - 1).map(([at, end]): Place => [inText(at), inText(end)]),
    );
    return read.length === 0 ? own : joined([...own, ...read]);
  }

  /** Where the secrets that are known begin and end in a text. */
  *#placesIn(text: string): Generator<Place> {
    let [from, hash] = [0, 0];
    for (let end = 0; end < text.length; end += 1) {
      hash = ((hash << 4) ^ text.charCodeAt(end)) & 0xffff;
      if (this.#hashes[hash] === 0) continue;
      const at = end - LEAST + 1;
      if (at < from) continue;
      const found = this.#index.get(hash);
      if (!found) continue;
      const length = lengthAt(text, at, found);
      if (length === 0) continue;
      from = at + length;
      yield [at, from];
    }
  }
}

type Place = readonly [at: number, end: number];

/** Places in their order, those that overlap as one. */
function joined(places: readonly Place[]): readonly Place[] {
  const found: [number, number][] = [];
  for (const [at, end] of places.toSorted(([one], [other]) => one - other)) {
    const last = found.at(-1);
    if (last && at < last[1]) last[1] = Math.max(last[1], end);
    else found.push([at, end]);
  }
  return found;
}

interface Reading {
  readonly plain: string;
  /** Where a place of the plain text is in the text; places are asked in order. */
  inText(at: number): number;
}

/** What a text may say: after two backslashes, `x41` is an escape that was escaped once more, or three characters. */
function readingsOf(text: string): readonly Reading[] {
  const nested = unescaped(text, escapes, (found) => [startOf(found, text), signOf(found)]);
  if (!text.includes('\\\\')) return [nested];
  const once = unescaped(text, escapesOnce, (found) => [found.index, found[3] ?? signOf(found)]);
  return [nested, once];
}

/** Reads the escapes that match, each with its start and the character that it stands for. */
function unescaped(
  text: string,
  pattern: RegExp,
  read: (found: RegExpExecArray) => readonly [start: number, sign: string],
): Reading {
  let [plain, from, saved] = ['', 0, 0];
  /** Behind each escape: where that is in the plain text, and how much shorter that is so far. */
  const [places, savings]: [number[], number[]] = [[], []];
  for (const found of text.matchAll(pattern)) {
    const [start, sign] = read(found);
    plain += text.slice(from, start) + sign;
    from = found.index + found[0].length;
    saved += from - start - 1;
    places.push(plain.length);
    savings.push(saved);
  }
  plain += text.slice(from);
  let [next, shorter] = [0, 0];
  const inText = (at: number): number => {
    for (; next < places.length && places[next]! <= at; next += 1) shorter = savings[next]!;
    return at + shorter;
  };
  return { plain, inText };
}

/** What a text says when its escapes are read once. */
export function withoutEscapes(text: string): string {
  return readingsOf(text)[0]!.plain;
}

/** Escapes of JSON, JavaScript, addresses and HTML. */
const escapes = /\\{1,2}u([\da-f]{4})|\\{1,2}x([\da-f]{2})|%([\da-f]{2})|&#x0{0,4}([\da-f]{1,4});|&#0{0,4}(\d{1,5});/gi;
const hasEscape = /\\[ux]|%[\da-f]|&#/i;
/** Escapes of JSON and JavaScript, of which an escaped backslash is one. */
const escapesOnce = /\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|(["'/\\]))/g;

/** Where an escape starts: of an odd number of backslashes, all but the last are escaped ones before it. */
function startOf(found: RegExpExecArray, text: string): number {
  const at = found.index;
  const letter = found[0].search(/[ux]/i);
  if (!found[0].startsWith('\\')) return at;
  let first = at;
  while (text[first - 1] === '\\') first -= 1;
  const slashes = at + letter - first;
  return slashes % 2 === 0 ? first : at + letter - 1;
}

/** The character that an escape stands for. */
function signOf([, ...codes]: RegExpExecArray): string {
  const decimal = codes.pop();
  return String.fromCharCode(decimal === undefined ? parseInt(codes.find(Boolean)!, 16) : Number(decimal));
}

/** The hash of the characters up to `end`: that of the last four, since older ones are shifted out. */
function hashOf(text: string, end: number): number {
  let hash = 0;
  for (let at = 0; at <= end; at += 1) hash = ((hash << 4) ^ text.charCodeAt(at)) & 0xffff;
  return hash;
}

function positionIn(spellings: readonly string[], spelling: string): number {
  const at = spellings.findIndex((one) => one.length < spelling.length);
  return at < 0 ? spellings.length : at;
}

/** The most characters of a secret that begins there; 0 if none does. */
function lengthAt(text: string, at: number, spellings: readonly string[]): number {
  let most = 0;
  for (const spelling of spellings) {
    if (spelling.length <= most) break;
    let length = 0;
    while (length < spelling.length && text.charCodeAt(at + length) === spelling.charCodeAt(length)) length += 1;
    if (length > most && isShown(text, at, length, spelling)) most = length;
  }
  return most;
}

/** Whether so many characters of a text show a secret, or enough of it. */
function isShown(text: string, at: number, length: number, spelling: string): boolean {
  const end = at + length;
  if (length === spelling.length) {
    if (length >= PART) return true;
    return (at === 0 || delimiter.test(text[at - 1]!)) && (end === text.length || delimiter.test(text[end]!));
  }
  if (end === text.length || text.startsWith(DOTS, end)) return length >= LEAST_AT_END;
  return length >= Math.max(LEAST_CUT, spelling.length / 2) && !ordinary.test(spelling);
}

/** How a secret may be written: as it is, first, and escaped or encoded by what it passes. */
export function spellingsOf(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const ascii = json.replaceAll(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const html = secret
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  const found = [
    secret,
    json,
    json.replaceAll('/', '\\/'),
    secret.replaceAll('\\', '\\\\'),
    ascii,
    JSON.stringify(json).slice(1, -1),
    html,
    ...['&#39;', '&#x27;', '&apos;'].map((quote) => html.replaceAll("'", quote)),
    ...percentOf(secret),
  ];
  const bytes = new TextEncoder().encode(secret);
  // As percent codes are read one by one, and as UTF-8 is read by mistake.
  if (bytes.length > secret.length) found.push(String.fromCharCode(...bytes));
  if (secret.length >= PART) found.push(...base64Of(bytes), hexOf(bytes), hexOf(bytes).toUpperCase());
  return [...new Set(found)].filter((spelling) => spelling.length >= LEAST);
}

function percentOf(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const plain = encodeURIComponent(new TextDecoder().decode(bytes));
  const strict = plain.replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  // As a form has it, where `*` alone stays as it is.
  const form = strict.replaceAll('~', '%7E').replaceAll('%2A', '*').replaceAll('%20', '+');
  const once = [plain, strict, form, plain.replaceAll('%20', '+'), strict.replaceAll('%20', '+')];
  const lower = once.map((one) => one.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase()));
  const levels = [[...new Set([...once, ...lower, encodeURI(new TextDecoder().decode(bytes))])]];
  // An address may be a parameter of an address, and that one of another.
  while (levels.length < NESTED_URLS) levels.push(levels.at(-1)!.map(encodeURIComponent));
  return levels.flat();
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Base64 of it, alone and as a part of a longer text: where the bytes before it end decides the signs, and those at its
 * ends depend on its neighbours.
 */
function base64Of(bytes: Uint8Array): string[] {
  const found = [0, 1, 2].flatMap((before) => {
    const whole = toBase64(new Uint8Array([...new Uint8Array(before), ...bytes]));
    const rest = (before + bytes.length) % 3;
    const inner = whole.slice(before === 0 ? 0 : before + 1, rest === 0 ? undefined : rest - 4);
    return before === 0 ? [whole, whole.replace(/={1,2}$/, ''), inner] : [inner];
  });
  return [...found, ...found.map((one) => one.replaceAll('+', '-').replaceAll('/', '_'))].filter(
    (one) => one.length >= PART,
  );
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** The text in Base64 of either alphabet; undefined if it is none. */
export function fromBase64(text: string): string | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return new TextDecoder().decode(Uint8Array.from(binary, (sign) => sign.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

function fromJson(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined;
  }
}

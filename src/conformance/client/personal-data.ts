import { MASK, shallowJson, isObject } from '../../common/index.js';

/** Members of bookings that name, reach or describe a person, wherever they are. */
const fields = ['contactName', 'contactFirstName', 'contactLastName', 'contactPhone', 'contactEmail'];
const others = ['firstName', 'lastName', 'comments'];
const personal: ReadonlySet<string> = new Set([...fields, ...others]);
/** Members of a booking that are probably about a person, although the API specification does not have them. */
const perhapsPersonal =
  /^(?!(facility|course|product|country)).*(contact|guest|customer|member|golfer|first|last|sur|full|player)_?name|mail|phone|mobile|comment|remark|notes?$|birth|handicap/i;
const names = [...personal].join('|');
/** The name of a personal member, in quotes of its level: JSON in a string of JSON has backslashes before them. */
const memberStart = new RegExp(`(?<!\\\\)(\\\\*)"(?:${names})\\1"\\s*:\\s*`, 'g');
const memberNumber = /-?\d[\d.]*/y;
const DOTS = '...';
const hint = new RegExp(`${names}|bookingId`);
const email = /(?<![\p{L}\p{N}_.+-])[\p{L}\p{N}_.+-]{1,64}@[\p{L}\p{N}_.-]{0,254}[\p{L}\p{N}]/gu;
const phone = /\+?\d[\d ()./-]{4,40}\d/g;
const jsonStart = /^\s*[[{]/;
const wordSign = /[\p{L}\p{N}]/u;
/** Shorter values would also hide harmless text. */
const LEAST = 2;

/**
 * Hides the personal data of bookings that the run has not made. What the run itself sends is made up, and is shown.
 * Data of facilities is public.
 */
export class PersonalData {
  readonly #made = new Set<string>();
  readonly #guests = new Set<string>();

  /** @param isOfOthers Whether a booking with this id is one that the run has not made. */
  constructor(readonly isOfOthers: (bookingId: unknown) => boolean) {}

  /** Adds the personal data in a body that the run sends. */
  learnOwn(body: unknown): void {
    if (Array.isArray(body)) body.forEach((one) => this.learnOwn(one));
    else if (isObject(body)) {
      for (const [name, value] of Object.entries(body)) {
        if (personal.has(name)) this.#made.add(String(value));
        else this.learnOwn(value);
      }
      const { contactFirstName: first, contactLastName: last } = body;
      if (typeof first === 'string' && typeof last === 'string') this.#made.add(`${first} ${last}`);
    }
  }

  /** Adds the personal data in an answer, before words of the run quote it alone. */
  learn(answer: unknown, ofOthers = false): void {
    if (Array.isArray(answer)) for (const one of answer) this.learn(one, ofOthers);
    if (!isObject(answer)) return;
    const isOthers = this.#isOthers(answer, ofOthers);
    if (isOthers === undefined) return;
    for (const name in answer) {
      const value = answer[name];
      if (typeof value === 'object') this.learn(value, isOthers);
      else if (isPersonal(name, isOthers)) this.#hidden(value);
      else if (typeof value === 'string' && jsonStart.test(value)) this.text(value);
    }
  }

  /** Whether an object is about a booking that the run has not made; undefined for one of its own. */
  #isOthers({ bookingId }: Readonly<Record<string, unknown>>, within: boolean): boolean | undefined {
    // A booking of the run may be garbled: that is a finding, and no secret.
    if (typeof bookingId === 'string') return this.isOfOthers(bookingId) ? true : undefined;
    return within;
  }

  /** A text with personal data masked, by the names of members and by values that were seen before. */
  text(text: string): string {
    const plain = hint.test(text) ? (this.#json(text) ?? this.#members(text)) : text;
    if (this.#guests.size === 0) return plain;
    // Most texts are lists of tee times, and searching them for addresses would be the most of masking them.
    return this.#withoutGuests(plain.includes('@') ? this.#withoutGuests(plain, email) : plain, phone);
  }

  /** The text itself, not a copy of it, where nothing is masked: most of it looks like telephone numbers and is none. */
  #withoutGuests(text: string, pattern: RegExp): string {
    for (const [value] of text.matchAll(pattern)) {
      if (this.#guests.has(value)) return text.replace(pattern, (one) => (this.#guests.has(one) ? MASK : one));
    }
    return text;
  }

  /** Like {@link text}, for the words of a finding: it may quote a name alone. */
  words(text: string): string {
    const plain = this.text(text);
    if (this.#guests.size === 0) return plain;
    const lengths = [...new Set([...this.#guests].map((guest) => guest.length))].sort((a, b) => b - a);
    let [masked, at] = ['', 0];
    while (at < plain.length) {
      const length = isInWord(plain, at - 1) ? undefined : lengths.find((one) => this.#isGuest(plain, at, one));
      masked += length === undefined ? plain[at]! : MASK;
      at += length ?? 1;
    }
    return masked;
  }

  /** Whether a value that was seen stands alone there. */
  #isGuest(text: string, at: number, length: number): boolean {
    return !isInWord(text, at + length) && this.#guests.has(text.slice(at, at + length));
  }

  #json(text: string): string | undefined {
    if (!jsonStart.test(text)) return undefined;
    const value = shallowJson(text);
    if (value === undefined) return undefined;
    const masked = this.#value(value, false);
    return masked === value ? text : JSON.stringify(masked);
  }

  /** The value itself if there is nothing to mask in it. */
  #value(value: unknown, ofOthers: boolean): unknown {
    if (Array.isArray(value)) {
      const items = value.map((one: unknown) => this.#value(one, ofOthers));
      return items.some((one, index) => one !== value[index]) ? items : value;
    }
    if (typeof value === 'string') return hint.test(value) ? this.text(value) : value;
    if (!isObject(value)) return value;
    const isOthers = this.#isOthers(value, ofOthers);
    if (isOthers === undefined) return value;
    const entries = Object.entries(value).map(([name, one]) => [
      name,
      typeof one !== 'object' && isPersonal(name, isOthers) ? this.#hidden(one) : this.#value(one, isOthers),
    ]);
    return entries.some(([name, one]) => one !== value[name as string]) ? Object.fromEntries(entries) : value;
  }

  #hidden(value: unknown): unknown {
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '') return value;
    const text = String(value);
    if (this.#made.has(text) || text === MASK) return value;
    if (text.length >= LEAST) this.#guests.add(text);
    return MASK;
  }

  /** Masks personal members in text that is no whole JSON: quoted, perhaps several times, and perhaps cut off. */
  #members(text: string): string {
    let [masked, at] = ['', 0];
    const dots = finder(text, DOTS);
    memberStart.lastIndex = 0;
    for (let start = memberStart.exec(text); start; start = memberStart.exec(text)) {
      const from = memberStart.lastIndex;
      const quote = `${start[1]!}"`;
      const end = text.startsWith(quote, from)
        ? endOfText(text, from + quote.length, quote, dots)
        : endOfNumber(text, from);
      if (end === undefined) continue;
      const inner = text.slice(end.from, end.to);
      if (inner !== '' && !this.#made.has(inner)) {
        masked += `${text.slice(at, from)}${quote}${MASK}${end.isCut ? '' : quote}`;
        at = end.next;
      }
      memberStart.lastIndex = Math.max(end.next, from);
    }
    return masked + text.slice(at);
  }
}

/** Whether a member is about a person; of a booking that the run has not made, also one that is probably so. */
function isPersonal(name: string, ofOthers: boolean): boolean {
  return personal.has(name) || (ofOthers && perhapsPersonal.test(name));
}

/** The value of a member: its text without quotes, and where the text after it begins. */
interface MemberValue {
  readonly from: number;
  readonly to: number;
  readonly next: number;
  /** Whether dots end it, which stay. */
  readonly isCut: boolean;
}

/** A text value, up to its closing quote, the dots of a cut or the end. */
function endOfText(text: string, from: number, quote: string, dots: (at: number) => number): MemberValue {
  const cut = dots(from);
  let closing = text.indexOf('"', from);
  // A quote of the value itself has more backslashes.
  while (closing >= 0 && closing < cut && backslashesBefore(text, closing, from) >= quote.length) {
    closing = text.indexOf('"', closing + 1);
  }
  if (closing >= 0 && closing < cut) {
    const to = closing - Math.min(backslashesBefore(text, closing, from), quote.length - 1);
    return { from, to, next: closing + 1, isCut: false };
  }
  const to = Math.min(cut, text.length);
  return { from, to, next: to, isCut: cut < text.length };
}

function endOfNumber(text: string, from: number): MemberValue | undefined {
  memberNumber.lastIndex = from;
  const length = memberNumber.exec(text)?.[0].length;
  return length === undefined ? undefined : { from, to: from + length, next: from + length, isCut: false };
}

function backslashesBefore(text: string, at: number, from: number): number {
  let start = at;
  while (start > from && text[start - 1] === '\\') start -= 1;
  return at - start;
}

/** The first place of a part of the text at or after a place that only grows; infinity if there is none. */
function finder(text: string, part: string): (at: number) => number {
  let found = -1;
  return (at) => {
    if (found < at) found = text.indexOf(part, at);
    return found < 0 ? (found = Infinity) : found;
  };
}

function isInWord(text: string, at: number): boolean {
  return at >= 0 && at < text.length && wordSign.test(text[at]!);
}

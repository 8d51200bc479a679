import { MASK } from '../../evidence/mask.js';
import { isObject } from './exchange.js';

/** Members of bookings that name, reach or describe a person, wherever they are. */
const fields = ['contactName', 'contactFirstName', 'contactLastName', 'contactPhone', 'contactEmail'];
const others = ['firstName', 'lastName', 'comments'];
const personal: ReadonlySet<string> = new Set([...fields, ...others]);
/** Members of a booking that are probably about a person, although the document does not have them. */
const perhapsPersonal =
  /^(?!(facility|course|product|country)).*(contact|guest|customer|member|golfer|first|last|sur|full|player)_?name|mail|phone|mobile|comment|remark|notes?$|birth|handicap/i;
const names = [...personal].join('|');
/** A personal member in text that is no whole JSON: quoted, perhaps several times, and perhaps cut off. */
const member = new RegExp(
  `((\\\\*")(?:${names})\\2\\s*:\\s*)(\\2(?:\\\\.|(?!\\2).)*?(?:\\2|\\.\\.\\.|$)|-?\\d[\\d.]*)`,
  'g',
);
const hint = new RegExp(`${names}|bookingId`);
const email = /(?<![\p{L}\p{N}_.+-])[\p{L}\p{N}_.+-]{1,64}@[\p{L}\p{N}_.-]{0,254}[\p{L}\p{N}]/gu;
const phone = /\+?\d[\d ()./-]{4,}\d/g;
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

  /** A text with personal data masked, by the names of members and by values that were seen before. */
  text(text: string): string {
    const plain = hint.test(text) ? (this.#json(text) ?? this.#members(text)) : text;
    const known = (value: string): string => (this.#guests.has(value) ? MASK : value);
    return this.#guests.size === 0 ? plain : plain.replace(email, known).replace(phone, known);
  }

  /** Like {@link text}, for the words of a finding: it may quote a name alone. */
  words(text: string): string {
    let masked = this.text(text);
    for (const guest of [...this.#guests].sort((a, b) => b.length - a.length)) {
      if (!masked.includes(guest)) continue;
      const escaped = guest.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      masked = masked.replace(new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'gu'), MASK);
    }
    return masked;
  }

  #json(text: string): string | undefined {
    if (!/^\s*[[{]/.test(text)) return undefined;
    try {
      const value = JSON.parse(text) as unknown;
      const masked = this.#value(value, false);
      return masked === value ? text : JSON.stringify(masked);
    } catch {
      return undefined;
    }
  }

  /** The value itself if there is nothing to mask in it. */
  #value(value: unknown, ofOthers: boolean): unknown {
    if (Array.isArray(value)) {
      const items = value.map((one: unknown) => this.#value(one, ofOthers));
      return items.some((one, index) => one !== value[index]) ? items : value;
    }
    if (typeof value === 'string') return hint.test(value) ? this.text(value) : value;
    if (!isObject(value)) return value;
    const id = value['bookingId'];
    // A booking of the run may be garbled: that is a finding, and no secret.
    if (typeof id === 'string' && !this.isOfOthers(id)) return value;
    const foreign = ofOthers || typeof id === 'string';
    const entries = Object.entries(value).map(([name, one]) => {
      const isPersonal = personal.has(name) || (foreign && perhapsPersonal.test(name));
      return [
        name,
        isPersonal && !isObject(one) && !Array.isArray(one) ? this.#hidden(one) : this.#value(one, foreign),
      ];
    });
    return entries.some(([name, one]) => one !== value[name as string]) ? Object.fromEntries(entries) : value;
  }

  #hidden(value: unknown): unknown {
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '') return value;
    const text = String(value);
    if (this.#made.has(text) || text === MASK) return value;
    if (text.length >= LEAST) this.#guests.add(text);
    return MASK;
  }

  #members(text: string): string {
    return text.replace(member, (whole, start: string, quote: string, value: string) => {
      const bare = value.startsWith(quote) ? value.slice(quote.length) : value;
      const end = [quote, '...'].find((one) => bare.endsWith(one)) ?? '';
      const inner = end === '' ? bare : bare.slice(0, -end.length);
      const kept = inner === '' || this.#made.has(inner);
      return kept ? whole : `${start}${quote}${MASK}${end === '...' ? end : quote}`;
    });
  }
}

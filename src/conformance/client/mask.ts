import { isChallenge, MASK, maskCredentials, maskNamed, maskUserInfo } from '../../common/index.js';
import type { PersonalData } from './personal-data.js';

/** A fast check before the slower patterns of `maskNamed`. */
const secretName = /token|password|secret|api_?key/i;
/** Shorter values would also hide harmless text. */
const LEAST = 6;
/** Servers of Node accept no longer header, and a longer value takes long to search for. */
const MOST = 16 * 1024;
const DOTS = '...';
/** Headers that are kept of a message. */
const MOST_HEADERS = 100;

/** Hides secrets in recorded text: those it knows, wherever they occur, and values with a name like a secret's. */
export class Masker {
  readonly #known = new Set<string>();
  /** Headers whose values are hidden, whatever they are. */
  readonly #headers = new Set<string>();

  /** Hides data of persons too; undefined where it is to be shown. */
  personal: PersonalData | undefined;

  /** Adds secrets to hide. */
  learn(...secrets: readonly (string | undefined)[]): void {
    for (const secret of secrets) if (secret && secret.length >= LEAST) this.#known.add(secret.slice(0, MOST));
  }

  /** Adds headers whose values are to hide. */
  learnHeaders(headers: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(headers)) {
      this.#headers.add(name.toLowerCase());
      this.learn(value, value.replace(/^\w+ /, ''));
    }
  }

  text(text: string): string {
    let masked = text;
    if (secretName.test(text)) masked = maskNamed(masked);
    masked = maskUserInfo(masked);
    for (const secret of this.#known) masked = masked.replaceAll(secret, MASK);
    return this.personal?.text(masked) ?? masked;
  }

  /** Like {@link text}, for the words of a finding, which may be cut: the start of a secret before the dots is hidden too. */
  cut(text: string): string {
    const plain = this.text(text);
    const parts = (this.personal?.words(plain) ?? plain).split(DOTS);
    return parts.map((part, index) => (index < parts.length - 1 ? this.#withoutStart(part) : part)).join(DOTS);
  }

  /** A text without the start of a secret at its end. */
  #withoutStart(text: string): string {
    for (const secret of this.#known) {
      for (let kept = Math.min(secret.length, text.length); kept >= LEAST; kept -= 1) {
        if (text.endsWith(secret.slice(0, kept))) return text.slice(0, -kept) + MASK;
      }
    }
    return text;
  }

  headers(headers: Headers): Record<string, string> {
    const kept = [...headers].slice(0, MOST_HEADERS);
    return Object.fromEntries(kept.map(([name, value]) => [name, this.#header(name, value)]));
  }

  #header(name: string, value: string): string {
    if (this.#headers.has(name)) return MASK;
    return isChallenge(name) ? value : (maskCredentials(name, value) ?? this.text(value));
  }
}

/** A JSON object with unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses JSON; a text that is none gives `otherwise`. */
export function parsedJson(text: string, otherwise?: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** Whether a value is an object with members, and no array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Levels of JSON that are read. The contract has nine; thousands overflow the stack of whoever walks through them. */
const MOST_LEVELS = 64;
/** Items of a list, or members of an object, that are read: rules compare the items of a list with each other. */
const MOST_ITEMS = 20_000;
/** What a value of parsed JSON takes besides its text, in bytes; measured on the answers of an ordinary run. */
const BYTES_OF_VALUE = 16;
/** What an object takes at least, however few members it has. */
const BYTES_OF_OBJECT = 64;

const [QUOTE, COMMA, COLON, OPEN_LIST, OPEN_OBJECT] = [0x22, 0x2c, 0x3a, 0x5b, 0x7b];
const [BACKSLASH, CLOSE_LIST, CLOSE_OBJECT] = [0x5c, 0x5d, 0x7d];
/** The first character beyond Latin-1, and the first byte of any such character in UTF-8. */
const [WIDE, WIDE_BYTE] = [0x100, 0xc4];

/** Measures JSON without parsing it, as it arrives. What is no JSON has the size of its text. */
export class JsonMeter {
  /** The deepest nesting of arrays and objects. */
  #levels = 0;
  /** The most items of one of them. */
  #widest = 0;
  /** Items so far of each that is open. */
  readonly #items = new Uint32Array(MOST_LEVELS + 2);
  #length = 0;
  #beside = 0;
  /** Characters within strings: they are kept a second time, parsed. White space between them is not. */
  #inStrings = 0;
  /** Values and names of members. */
  #values = 1;
  #objects = 0;
  #level = 0;
  #isInString = false;
  #isEscaped = false;
  #isWide = false;

  /** Measures a further part, in UTF-8. */
  add(bytes: Uint8Array): this {
    for (let at = 0; at < bytes.length; at += 1) this.#note(bytes[at]!, WIDE_BYTE);
    return this;
  }

  /** Measures a further part. */
  addText(text: string): this {
    for (let at = 0; at < text.length; at += 1) this.#note(text.charCodeAt(at), WIDE);
    return this;
  }

  /** Measures what is kept besides the text, such as headers. */
  addBytes(count: number): this {
    this.#beside += count;
    return this;
  }

  get #width(): number {
    return this.#isWide ? 2 : 1;
  }

  /** The bytes that the text and what is parsed from it take. A text with one wide character has only wide ones. */
  get bytes(): number {
    const parsed = Math.max(this.#values * BYTES_OF_VALUE, this.#objects * BYTES_OF_OBJECT);
    return this.#beside + this.bytesOfText + this.#inStrings * this.#width + parsed;
  }

  /** The bytes of the text alone. */
  get bytesOfText(): number {
    return this.#length * this.#width;
  }

  /** Why nobody should walk through it. */
  get fault(): string | undefined {
    if (this.#levels > MOST_LEVELS) return `its JSON is nested deeper than ${MOST_LEVELS} levels`;
    return this.#widest > MOST_ITEMS ? `it has a list of more than ${MOST_ITEMS} items` : undefined;
  }

  #note(sign: number, wide: number): void {
    this.#length += 1;
    if (sign >= wide) this.#isWide = true;
    // Most of a text is in strings, up to a quotation mark or a backslash, and needs no further look.
    if (this.#isInString && !this.#isEscaped && sign !== QUOTE && sign !== BACKSLASH) this.#inStrings += 1;
    else this.#step(sign);
  }

  #step(sign: number): void {
    if (this.#isInString) {
      this.#inStrings += 1;
      if (this.#isEscaped) this.#isEscaped = false;
      else if (sign === BACKSLASH) this.#isEscaped = true;
      else if (sign === QUOTE) this.#isInString = false;
    } else if (sign === QUOTE) this.#isInString = true;
    else if (sign === COMMA) this.#noteItem();
    else if (sign === COLON) this.#values += 1;
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) {
      this.#values += 1;
      if (sign === OPEN_OBJECT) this.#objects += 1;
      this.#level += 1;
      if (this.#level > this.#levels) this.#levels = this.#level;
      if (this.#level >= 0) this.#items[this.#level] = 1;
    } else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) this.#level -= 1;
  }

  #noteItem(): void {
    this.#values += 1;
    const items = (this.#items[this.#level] ?? 0) + 1;
    this.#items[this.#level] = items;
    if (items > this.#widest) this.#widest = items;
  }
}

/** Parses JSON; undefined for a text that is none, or is too deep or too wide to be walked through. */
export function shallowJson(text: string): unknown {
  return new JsonMeter().addText(text).fault === undefined ? parsedJson(text) : undefined;
}

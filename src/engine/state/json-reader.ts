const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Thrown for JSON with more levels than a reader takes. */
export class TooDeep extends Error {
  override readonly name = 'TooDeep';
}

/**
 * Parses JSON that arrives in pieces. The elements of outermost arrays are parsed one by one, so that no piece takes long
 * if these elements are small; the rest of the text is parsed at the end.
 */
export class JsonReader {
  /** The text around the outermost arrays, each of which is in it as an array of its number. */
  #frame = '';
  readonly #lists: unknown[][] = [];
  /** The outermost array that is open, and its level. */
  #list: unknown[] | undefined;
  #listLevel = 0;
  /** The beginning of its current element. */
  #element = '';
  #level = 0;
  #inString = false;
  #isEscaped = false;

  constructor(readonly mostLevels: number) {}

  /** @throws {SyntaxError} for an element that is no JSON. @throws {TooDeep} */
  feed(text: string): void {
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (this.#inString) {
        this.#goOnInString(code);
        continue;
      }
      switch (code) {
        case QUOTE:
          this.#inString = true;
          break;
        case 0x5b: // [
        case 0x7b: // {
          if (++this.#level > this.mostLevels) throw new TooDeep();
          if (code === 0x5b && !this.#list) from = this.#open(text.slice(from, at + 1), at + 1);
          break;
        case 0x2c: // ,
          if (this.#list && this.#level === this.#listLevel) {
            this.#add(text.slice(from, at));
            from = at + 1;
          }
          break;
        case 0x5d: // ]
        case 0x7d: // }
          if (this.#list && this.#level === this.#listLevel) {
            this.#close(text.slice(from, at));
            from = at;
          }
          this.#level -= 1;
      }
    }
    if (this.#list) this.#element += text.slice(from);
    else this.#frame += text.slice(from);
  }

  /** @throws {SyntaxError} for text that is no JSON. */
  end(): unknown {
    return JSON.parse(this.#frame, (_, value: unknown) => (Array.isArray(value) ? this.#lists[value[0]] : value));
  }

  #goOnInString(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === BACKSLASH) this.#isEscaped = true;
    else if (code === QUOTE) this.#inString = false;
  }

  #open(before: string, from: number): number {
    this.#frame += `${before}${this.#lists.length}`;
    this.#list = [];
    this.#listLevel = this.#level;
    this.#lists.push(this.#list);
    return from;
  }

  #add(rest: string): void {
    this.#list!.push(JSON.parse(this.#element + rest));
    this.#element = '';
  }

  #close(rest: string): void {
    const isEmpty = this.#list!.length === 0 && (this.#element + rest).trim() === '';
    if (!isEmpty) this.#add(rest);
    this.#list = undefined;
  }
}

import { jsonFault, type JsonFault, jsonFaultWords, placeAfter, type TextPlace } from '../../common/index.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const START: TextPlace = { line: 1, column: 1 };

/** Thrown for JSON with more levels than a reader takes. */
export class TooDeep extends Error {
  override readonly name = 'TooDeep';
}

/** Thrown for a text that is no JSON. */
export class JsonSyntaxError extends SyntaxError {
  constructor(readonly fault: JsonFault) {
    super(jsonFaultWords(fault));
  }
}

/**
 * Parses JSON.
 *
 * @throws {JsonSyntaxError}
 */
export function parseJson(text: string, reviver?: (name: string, value: unknown) => unknown): unknown {
  return parseAt(text, undefined, reviver);
}

function parseAt(
  text: string,
  placeOf: ((at: number) => TextPlace) | undefined,
  reviver?: (name: string, value: unknown) => unknown,
): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch {
    throw new JsonSyntaxError(jsonFault(text, placeOf)!);
  }
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
  #elementPlace: TextPlace = START;
  /** Where the parts of the frame are in the whole text. */
  readonly #parts: { readonly at: number; readonly place: TextPlace }[] = [{ at: 0, place: START }];
  /** The number of the current line, and the characters before it and before the current piece of text. */
  #line = 1;
  #beforeLine = 0;
  #beforePiece = 0;
  #endsWithReturn = false;
  #level = 0;
  #inString = false;
  #isEscaped = false;

  /** @param take Makes of an element what is kept of it. */
  constructor(
    readonly mostLevels: number,
    readonly take: (element: unknown) => unknown = (element) => element,
  ) {}

  /** @throws {JsonSyntaxError} for an element that is no JSON. @throws {TooDeep} */
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
            this.#elementPlace = this.#placeOf(from);
          }
          break;
        case 0x5d: // ]
        case 0x7d: // }
          if (this.#list && this.#level === this.#listLevel) {
            this.#close(text.slice(from, at));
            from = at;
            this.#parts.push({ at: this.#frame.length, place: this.#placeOf(from) });
          }
          this.#level -= 1;
          break;
        case 0x0a: // line feed
        case 0x0d: // carriage return
          if (code === 0x0d || !this.#isAfterReturn(text, at)) this.#line += 1;
          this.#beforeLine = this.#beforePiece + at + 1;
      }
    }
    if (this.#list) this.#element += text.slice(from);
    else this.#frame += text.slice(from);
    this.#beforePiece += text.length;
    this.#endsWithReturn = text.length === 0 ? this.#endsWithReturn : text.endsWith('\r');
  }

  /** @throws {JsonSyntaxError} for text that is no JSON. */
  end(): unknown {
    if (this.#list) {
      throw new JsonSyntaxError({ ...this.#placeOf(0), why: 'the text ends before an array is closed', early: true });
    }
    const lists = (_: string, value: unknown) => (Array.isArray(value) ? this.#lists[value[0]] : value);
    return parseAt(this.#frame, (at) => this.#placeInFrame(at), lists);
  }

  /** The place of a position in the current piece of text. */
  #placeOf(at: number): TextPlace {
    return { line: this.#line, column: this.#beforePiece + at - this.#beforeLine + 1 };
  }

  #placeInFrame(at: number): TextPlace {
    const part = this.#parts.findLast((one) => one.at <= at)!;
    return placeAfter(this.#frame.slice(part.at, at), part.place);
  }

  /** Whether a line feed ends the same line as the carriage return before it. */
  #isAfterReturn(text: string, at: number): boolean {
    return at === 0 ? this.#endsWithReturn : text.charCodeAt(at - 1) === 0x0d;
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
    this.#elementPlace = this.#placeOf(from);
    return from;
  }

  #add(rest: string): void {
    const text = this.#element + rest;
    this.#element = '';
    this.#list!.push(this.take(parseAt(text, (at) => placeAfter(text.slice(0, at), this.#elementPlace))));
  }

  #close(rest: string): void {
    const isEmpty = this.#list!.length === 0 && (this.#element + rest).trim() === '';
    if (!isEmpty) this.#add(rest);
    this.#list = undefined;
  }
}

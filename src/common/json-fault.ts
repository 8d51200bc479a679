/** A place in a text. Both count from 1; columns are characters as an editor counts them. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** What makes a text no JSON, and where. */
export interface JsonFault extends TextPlace {
  /** A clause without a full stop, such as: a comma stands before `}`. */
  readonly why: string;
  /** Whether the text ends too early. */
  readonly early: boolean;
}

/** Words of other languages. Only these are quoted: any other may be a secret. */
const foreign = /^(?:NaN|undefined|-?Infinity|None|True|False|NULL|Null|TRUE|FALSE|nil)$/;
const word = /[\w$-]{1,24}/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const literal = /true|false|null/y;
const blanks = /[ \t\n\r]*/y;
const escape = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;

/** The end of what a sticky pattern matches at a position, or -1. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/**
 * The first fault of a text that `JSON.parse` refuses; undefined if it is JSON. Engines say it in words and positions of
 * their own, and a response has to have the same bytes everywhere.
 *
 * @param placeOf The place of a position, for a text that is a part of another.
 */
export function jsonFault(
  text: string,
  placeOf = (at: number) => placeAfter(text.slice(0, at)),
): JsonFault | undefined {
  try {
    new Scan(text, placeOf).document();
    return undefined;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return { ...placeOf(error.at), why: error.why, early: error.early };
  }
}

/** A name that an object has a second time. */
export interface RepeatedName extends TextPlace {
  readonly name: string;
}

/** The names that objects of a JSON text have more than once, each where it is repeated: `JSON.parse` keeps the last. */
export function repeatedNames(text: string): RepeatedName[] {
  const seen = new Map<number, Set<string>>();
  const found: RepeatedName[] = [];
  const note = (object: number, start: number, end: number): void => {
    const name = JSON.parse(text.slice(start, end)) as string;
    const names = seen.get(object) ?? new Set();
    if (names.has(name)) found.push({ name, ...placeAfter(text.slice(0, start)) });
    seen.set(object, names.add(name));
  };
  new Scan(text, (at) => placeAfter(text.slice(0, at)), note).document();
  return found;
}

/** The same as a clause: line 3, column 1: a comma stands before `}`. */
export function jsonFaultWords({ line, column, why }: JsonFault): string {
  return `line ${line}, column ${column}: ${why}`;
}

/** Whether a string has a character as it is: no end, no control character and no escape. */
function isPlain(code: number): boolean {
  return code >= 0x20 && code !== 0x22 && code !== 0x5c;
}

class Stop extends Error {
  constructor(
    readonly at: number,
    readonly why: string,
    readonly early = false,
  ) {
    super(why);
  }
}

/** The place behind a text that starts at a place. */
export function placeAfter(text: string, { line, column }: TextPlace = { line: 1, column: 1 }): TextPlace {
  const lines = text.split(/\r\n|\n|\r/);
  const { length } = lines.at(-1)!;
  return { line: line + lines.length - 1, column: lines.length === 1 ? column + length : length + 1 };
}

/** The steps of the grammar, without recursion: a text of any depth is read. */
class Scan {
  #at = 0;
  /** The positions of the brackets that are open. */
  readonly #open: number[] = [];

  constructor(
    readonly text: string,
    readonly placeOf: (at: number) => TextPlace,
    /** Called with the position of an object, and with the start and the end of a name in it. */
    readonly onName?: (object: number, start: number, end: number) => void,
  ) {}

  /** @throws {Stop} */
  document(): void {
    if (this.text.startsWith('\ufeff')) throw new Stop(0, 'a byte order mark stands before the JSON');
    let isValueDue = true;
    for (;;) {
      this.#skip();
      if (isValueDue) isValueDue = this.#value();
      else if (this.#open.length === 0) return this.#end();
      else isValueDue = this.#afterItem();
    }
  }

  get #sign(): string {
    return this.text[this.#at] ?? '';
  }

  get #rest(): string {
    return this.text.slice(this.#at, this.#at + 2);
  }

  get #opener(): string {
    return this.text[this.#open.at(-1)!] ?? '';
  }

  get #closer(): string {
    return this.#opener === '{' ? '}' : ']';
  }

  #skip(): void {
    this.#at = endOf(blanks, this.text, this.#at);
  }

  /** Reads a value; whether it opened something, so that another value is due. */
  #value(): boolean {
    const { text } = this;
    const sign = this.#sign;
    if (sign === '{' || sign === '[') {
      this.#open.push(this.#at);
      this.#at += 1;
      this.#skip();
      if (this.#sign === this.#closer) return this.#close();
      if (sign === '{') this.#name();
      return true;
    }
    if (sign === '"') return this.#string();
    for (const pattern of [number, literal]) {
      const end = endOf(pattern, text, this.#at);
      if (end < 0) continue;
      if (/[\w$.]/.test(text[end] ?? '')) break;
      this.#at = end;
      return false;
    }
    throw this.#noValue();
  }

  #noValue(): Stop {
    const sign = this.#sign;
    if (sign === '') return this.#early();
    if ((sign === ']' || sign === '}') && this.#comma() >= 0) return this.#trailingComma();
    const found = this.#strange();
    if (found) return found;
    const end = endOf(word, this.text, this.#at);
    const named = end < 0 ? '' : this.text.slice(this.#at, end);
    if (foreign.test(named)) return this.#stop(`\`${named}\` is no value of JSON`);
    if (/[+.]/.test(sign) || /^-?\d/.test(named)) return this.#stop('a number is not written as JSON has it');
    if (/[A-Za-z$_]/.test(sign))
      return this.#stop('a value is neither in double quotes nor a number, true, false or null');
    return this.#stop(`${shown(this.#rest)} stands where a value is expected`);
  }

  #name(): void {
    this.#skip();
    const sign = this.#sign;
    if (sign !== '"') {
      if (sign === '') throw this.#early();
      if (sign === '}' && this.#comma() >= 0) throw this.#trailingComma();
      throw (
        this.#strange() ??
        this.#stop(
          /[\w$]/.test(sign)
            ? 'the name of a member is not in double quotes'
            : `${shown(this.#rest)} stands where the name of a member is expected`,
        )
      );
    }
    const start = this.#at;
    this.#string();
    this.onName?.(this.#open.at(-1)!, start, this.#at);
    this.#skip();
    if (this.#sign === ':') this.#at += 1;
    else if (this.#sign === '') throw this.#early();
    else throw this.#stop('a colon is missing after the name of a member');
  }

  /** After a value in an array or object. */
  #afterItem(): boolean {
    const sign = this.#sign;
    if (sign === this.#closer) return this.#close();
    if (sign === ',') {
      this.#at += 1;
      if (this.#opener === '{') this.#name();
      return true;
    }
    if (sign === '') throw this.#early();
    if (sign === '}' || sign === ']') {
      const { line, column } = this.placeOf(this.#open.at(-1)!);
      const due = `\`${this.#closer}\` is expected, for the \`${this.#opener}\` in line ${line}, column ${column}`;
      throw this.#stop(`\`${sign}\` stands where ${due}`);
    }
    throw this.#strange() ?? this.#stop(`a comma or \`${this.#closer}\` is missing before this`);
  }

  #close(): false {
    this.#open.pop();
    this.#at += 1;
    return false;
  }

  #string(): false {
    const start = this.#at;
    for (let at = start + 1; ;) {
      while (isPlain(this.text.charCodeAt(at))) at += 1;
      const sign = this.text[at];
      if (sign === '"') {
        this.#at = at + 1;
        return false;
      }
      if (sign === undefined) throw new Stop(start, 'the text ends within the string that starts here', true);
      const end = sign === '\\' ? endOf(escape, this.text, at) : -1;
      if (end < 0) throw new Stop(at, sign === '\\' ? 'an escape after `\\` is unknown' : control(sign));
      at = end;
    }
  }

  #end(): void {
    if (this.#sign === '') return;
    throw this.#strange() ?? this.#stop('more text follows after the end of the JSON');
  }

  /** What stands in many a text, and in no JSON. */
  #strange(): Stop | undefined {
    const next = this.#rest;
    if (next === '//' || next === '/*' || next[0] === '#') return this.#stop('JSON has no comments');
    if (next[0] === "'" || next[0] === '`') return this.#stop('text needs double quotes');
    if (/[\u201c-\u201f\u2018-\u201b\u00ab\u00bb]/.test(next)) {
      return this.#stop(`a typographic quotation mark (${shown(next)}) stands where \`"\` is expected`);
    }
    return undefined;
  }

  #trailingComma(): Stop {
    return new Stop(this.#comma(), `a comma stands before \`${this.#sign}\``);
  }

  #early(): Stop {
    const opened = this.#open.at(-1);
    if (opened === undefined) return this.#stop('there is no value');
    const { line, column } = this.placeOf(opened);
    const what = `\`${this.#opener}\` in line ${line}, column ${column}`;
    return new Stop(this.#at, `the text ends before the ${what} is closed`, true);
  }

  /** The position of a comma before this, with nothing but blanks between; otherwise -1. */
  #comma(): number {
    let at = this.#at - 1;
    while (' \t\n\r'.includes(this.text[at] ?? '-')) at -= 1;
    return this.text[at] === ',' ? at : -1;
  }

  #stop(why: string): Stop {
    return new Stop(this.#at, why);
  }
}

const controls: Readonly<Record<string, string>> = { '\n': 'a line break', '\r': 'a line break', '\t': 'a tab' };

function control(sign: string): string {
  const escaped = JSON.stringify(sign).slice(1, -1);
  return `${controls[sign] ?? 'a control character'} stands in a string, where it is written \`${escaped}\``;
}

/** The first character by itself, if it can be seen, or by its number. */
function shown(text: string): string {
  const code = text.codePointAt(0)!;
  return code > 0x20 && code < 0x7f ? `\`${text[0]}\`` : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

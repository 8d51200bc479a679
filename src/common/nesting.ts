import { ValidationError } from './validation-error.js';

/** Maximum levels of arrays and objects in JSON from outside: recursion over more would overflow the stack. */
export const MOST_LEVELS = 64;

/** How deep a JSON text goes, and how many values it has at most. */
interface Extent {
  readonly levels: number;
  readonly values: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Measures a JSON text in one pass, before it is parsed. Of a text that is no JSON, the result means nothing. */
export function extentOf(text: string): Extent {
  let level = 0;
  let levels = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        levels = Math.max(levels, ++level);
        values += 1;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        level -= 1;
        break;
      case 0x2c: // ,
        values += 1;
    }
  }
  return { levels, values };
}

/** Whether a JSON text cannot have more than so many values or levels, as most cannot. Found out in a tenth of the time. */
export function isSmall(text: string, values: number): boolean {
  if (text.length > values) return false;
  let brackets = 0;
  for (const bracket of '[{') {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if ((brackets += 1) > MOST_LEVELS) return false;
    }
  }
  return true;
}

/** The position of the quotation mark that ends a string; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}

/**
 * Refuses a value from outside that is nested too deeply, or has too many values, before anything recurses over it. A
 * value that contains itself has too many levels.
 *
 * @throws {ValidationError} that names the limit.
 */
export function checkNesting(value: unknown, whole: string, levels = MOST_LEVELS, values = Infinity): void {
  let seen = 0;
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: unknown[] = [];
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue;
      if (depth === levels) throw tooMany(whole, levels, 'levels of arrays and objects');
      for (const item of Object.values(one)) {
        if ((seen += 1) > values) throw tooMany(whole, values, 'values');
        next.push(item);
      }
    }
    level = next;
  }
}

function tooMany(whole: string, most: number, what: string): ValidationError {
  const due = `at most ${most} ${what}`;
  return new ValidationError(`${whole} must have ${due}.`, [due]);
}

/** A world file as YAML for people: sorted, with comments, and a line for each tee time. */
import { isObject, visible } from '../../common/index.js';
import type { WrittenWorld } from './world-of.js';

/** Members that have a line for each of their elements, and members that are a line of their own. */
const rows: ReadonlySet<string> = new Set(['products', 'extras', 'cancellation', 'days', 'prices', 'priceOrder']);
const inline: ReadonlySet<string> = new Set([
  'address',
  'contact',
  'services',
  'paymentRule',
  'answers',
  'images',
  'channels',
  'atLeast',
]);

/**
 * The text of a world file.
 *
 * @param head Comments at its beginning, a line each.
 */
export function worldYaml({ file, comments }: WrittenWorld, head: readonly string[]): string {
  const lines: string[] = head.map((line) => `# ${visible(line)}`.trimEnd());
  new Emitter(comments, lines).mapping(file as unknown as Record<string, unknown>, '', 0);
  return `${lines.join('\n')}\n`;
}

class Emitter {
  constructor(
    readonly comments: WrittenWorld['comments'],
    readonly lines: string[],
  ) {}

  /** The members of an object, each on lines of its own. */
  mapping(value: Record<string, unknown>, pointer: string, depth: number, first = ''): void {
    const indent = '  '.repeat(depth);
    let before = first === '' ? indent : first;
    for (const [name, one] of Object.entries(value)) {
      const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (before === indent) this.#comment(at, indent);
      const key = `${before}${keyText(name)}:`;
      before = indent;
      this.#member(key, name, one, at, depth);
    }
  }

  #member(key: string, name: string, value: unknown, pointer: string, depth: number): void {
    if (Array.isArray(value) && value.length > 0 && !inline.has(name))
      return this.#list(key, name, value, pointer, depth);
    if (isObject(value) && Object.keys(value).length > 0 && !inline.has(name)) {
      this.lines.push(key);
      // The dates of `days` and `prices`.
      for (const [own, one] of rows.has(name) ? Object.entries(value) : [])
        this.#list(`${'  '.repeat(depth + 1)}${keyText(own)}:`, name, one as unknown[], `${pointer}/${own}`, depth + 1);
      if (!rows.has(name)) this.mapping(value, pointer, depth + 1);
      return;
    }
    this.lines.push(`${key} ${flow(value)}`);
  }

  #list(key: string, name: string, list: readonly unknown[], pointer: string, depth: number): void {
    if (list.length === 0) {
      this.lines.push(`${key} []`);
      return;
    }
    this.lines.push(key);
    const indent = '  '.repeat(depth + 1);
    for (const [at, one] of list.entries()) {
      this.#comment(`${pointer}/${at}`, indent);
      if (isObject(one) && !rows.has(name)) this.mapping(one, `${pointer}/${at}`, depth + 2, `${indent}- `);
      else this.lines.push(`${indent}- ${flow(one)}`);
    }
  }

  #comment(pointer: string, indent: string): void {
    for (const text of this.comments.get(pointer) ?? []) this.lines.push(`${indent}# ${visible(text)}`);
  }
}

/** A value on one line. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  // What looks like a variable of the environment is a text of the deployment.
  if (typeof value === 'string') return textOf(value.replace(/\$\{\w+\}/g, '$$$&'));
  if (!isObject(value)) return String(value);
  const members = Object.entries(value).map(([name, one]) => `${keyText(name)}: ${flow(one)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** Texts that YAML reads as they are, in every place. */
const PLAIN = /^\p{L}[\p{L}\p{M}\p{N} ()+/.'&-]*(?<![ ])$/u;
/** Words that mean something else. */
const RESERVED = /^(true|false|null|yes|no|on|off|y|n|nan|inf)$/i;

const textOf = (text: string): string => (PLAIN.test(text) && !RESERVED.test(text) ? text : quotedText(text));
const keyText = (name: string): string =>
  /^[A-Za-z][\w.-]*$/.test(name) && !RESERVED.test(name) ? name : quotedText(name);

/** A text in quotes: single ones for what needs no escape, as people write dates and times. */
function quotedText(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) && !text.includes("'") ? `'${text}'` : JSON.stringify(text);
}

import { visible } from '../../../common/index.js';

/** The parts of a page that are there, a line between them. */
export function markdownText(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** A list with its heading; empty without rows. */
export function list(title: string, rows: readonly string[]): string {
  return rows.length === 0 ? '' : `### ${title}\n\n${rows.map((row) => `- ${row}`).join('\n')}`;
}

/** A table; its cells are Markdown already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Words that renderers turn into links or mentions by themselves: addresses, `@name`, `#1`, `GH-1`, the id of a commit. */
const linked = /[@#]|:\/|\/\/|www\.|[\p{L}\p{N}]\.[\p{L}\p{N}]|^\W*[\da-f]{7,40}\W*$|GH-\d/iu;
const signs = /[\\`*_{}[\]#!|~<>&=^$]/g;
/** What may end a word of a sentence. */
const PUNCTUATION = ':;,.!?)';
/** What begins a list. */
const bullet = /^(?:[-+]|\d{1,9}[.)])(?=\s|$)/;

/** Text without any markup: on one line, each sign that could mean something escaped. */
export function plain(text: string): string {
  const line = oneLine(text).split(' ').map(wordOf).join(' ');
  return line.replace(bullet, (start) => `${start.slice(0, -1)}\\${start.slice(-1)}`);
}

function wordOf(word: string): string {
  if (!linked.test(word)) return word.replace(signs, '\\$&');
  let end = word.length;
  while (end > 0 && PUNCTUATION.includes(word[end - 1]!)) end -= 1;
  return `${code(word.slice(0, end))}${word.slice(end).replace(signs, '\\$&')}`;
}

/** A sentence in which backticks mark code. */
export function prose(text: string): string {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return plain(text);
  return parts.map((part, index) => (index % 2 === 0 ? spaced(part) : code(part))).join('');
}

/** Like {@link plain}, with the spaces at both ends, which separate it from code. */
function spaced(text: string): string {
  const inner = plain(text);
  if (inner === '') return text === '' ? '' : ' ';
  return `${/^\s/.test(text) ? ' ' : ''}${inner}${/\s$/.test(text) ? ' ' : ''}`;
}

/** Text as code on one line, in a fence that is longer than any in it. A bar would end the cell of a table. */
export function code(text: string): string {
  const line = oneLine(text).replaceAll('|', '\\u{7c}');
  const fence = '`'.repeat(longestRun(line) + 1);
  const needsSpace = line === '' || fence.length > 1;
  return needsSpace ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

function oneLine(text: string): string {
  return visible(text.replace(/\s+/g, ' ').trim());
}

/** A block of shell commands. */
export function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}sh\n${visible(text)}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}

import { readFileSync, writeFileSync } from 'node:fs';
import { type Section, sectionTable } from './report.js';

const page = new URL('../../docs/speed.md', import.meta.url).pathname;

/** The parts whose figures stand in the page, in the order of the page. */
export function partsOfPage(): string[] {
  return [...readFileSync(page, 'utf8').matchAll(/<!-- figures of (\S+) -->/g)].map(([, name]) => name!);
}

/** Puts the first table of a part between its marks in the page. */
export function writeFigures(name: string, [section]: readonly Section[]): void {
  const text = readFileSync(page, 'utf8');
  const begin = `<!-- figures of ${name} -->\n`;
  const end = '<!-- /figures -->';
  const from = text.indexOf(begin);
  if (from < 0) throw new Error(`docs/speed.md has no place for the figures of \`${name}\`.`);
  const to = text.indexOf(end, from);
  writeFileSync(page, `${text.slice(0, from + begin.length)}${sectionTable(section!)}\n${text.slice(to)}`);
}

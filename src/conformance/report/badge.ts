import { xmlText } from './markup.js';
import type { ReportModel } from './model.js';

/** The colours of the right side: all is well, something is broken, and too little is known. */
const [GOOD, BAD, UNSURE] = ['#2a7d2e', '#b3261e', '#6b6b6b'];
/** Pixels of a letter of Verdana at 11 pixels, on average, and beside a text. */
const [LETTER, BESIDE] = [6.6, 12];

/** A badge in the style of shields: the command on the left, the verdict on the right. It loads nothing. */
export function badgeReport({ tool, verdict, exitCode, badge = verdict }: ReportModel): string {
  const texts = [tool, badge.replaceAll('-', ' ')];
  const [left, right] = texts.map((text) => Math.round(text.length * LETTER + BESIDE)) as [number, number];
  const colour = exitCode === 0 ? GOOD : exitCode === 1 ? BAD : UNSURE;
  const [name, said] = texts.map(xmlText) as [string, string];
  const textAt = (x: number, text: string): string => `<text x="${x}" y="14">${text}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${name}: ${said}">
<title>${name}: ${said}</title>
<clipPath id="r"><rect width="${left + right}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#444"/><rect x="${left}" width="${right}" height="20" fill="${colour}"/></g>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${textAt(left / 2, name)}${textAt(left + right / 2, said)}</g>
</svg>
`;
}

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Contract } from './contract.js';
import { fixturesFolder, header, quote } from './folders.js';

const fixtureNames = ['facilities', 'channels', 'bookings', 'places'] as const;

/** `fixtures.ts`: the world as JSON text, which starts faster than the same data as code. */
export function fixturesFile(): string {
  const rows = fixtureNames.map((name) => `  ${name}: ${quote(fixtureText(name))},\n`);
  return `${header}/** The committed world as JSON text; the store parses what it needs. */
export const fixturesJson: Readonly<Record<${fixtureNames.map(quote).join(' | ')}, string>> = {
${rows.join('')}};
`;
}

/** Without characters beyond Latin-1: one of them would double the memory that the whole text takes. */
function fixtureText(name: string): string {
  const file = resolve(fixturesFolder, `${name}.json`);
  if (!existsSync(file)) return '[]';
  const text = JSON.stringify(JSON.parse(readFileSync(file, 'utf8')));
  return text.replace(/[\u0100-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** `openapi.ts`: the contract in one piece, as text. */
export function openapiFile(contract: Contract): string {
  return `${header}/** The OpenAPI document of the service, bundled. */
export const openapi: string = ${quote(documentText(contract))};
`;
}

/** A contract as the JSON that users see, without white space: it is in the package several times. */
export function documentText(document: Contract): string {
  return `${JSON.stringify(readable(document))}\n`;
}

/** Removes the keys that only the generator reads. `x-rule` stays, since readers can look it up. */
export function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !key.startsWith('x-teebox-'));
  return Object.fromEntries(entries.map(([key, item]) => [key, readable(item)]));
}

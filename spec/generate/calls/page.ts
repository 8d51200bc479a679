import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { format } from 'oxfmt';
import { quoted } from '../../../src/common/curl.js';
import type { Catalogue } from '../catalogue.js';
import type { Contract } from '../contract.js';
import { rootFolder } from '../folders.js';
import { answered } from './answers.js';
import { type Call, filled, pathOf, type Values } from './call.js';
import { callsOf } from './calls.js';

const file = 'docs/operations.md';
const [open, close] = ['<!-- operations: generated -->\n', '<!-- /operations -->'];
const BASE = 'http://127.0.0.1:4653';
const USER = 'fairway:not-a-secret-fairway';

/** What a reader should know before using an operation, besides that there is a newer version. */
const notes: Readonly<Record<string, string>> = {
  'v3.createBulkBooking': 'In v5, `POST /api/v5/bookings` takes a list.',
  'v5.confirmPayment':
    'The call confirms nothing; use [v4](#confirm-the-payment-of-a-booking-v4) to confirm a payment.',
};

/** The page of all operations, if it was out of date; writes it unless only checking. */
export async function staleOperationsPage(contract: Contract, catalogue: Catalogue, write: boolean): Promise<string[]> {
  const path = resolve(rootFolder, file);
  const text = readFileSync(path, 'utf8');
  const [start, end] = [text.indexOf(open) + open.length, text.indexOf(close)];
  if (start < open.length || end < start)
    throw new Error(`${file} has no place for the operations. Restore its marks.`);
  const written = `${text.slice(0, start)}${await sections(contract, catalogue)}\n${text.slice(end)}`;
  if (written === text) return [];
  if (write) writeFileSync(path, written);
  return [file];
}

async function sections(contract: Contract, catalogue: Catalogue): Promise<string> {
  const calls = await callsOf(contract);
  const { values, answers } = await answered(calls);
  const parts = contract.tags.map(async ({ name, description }) => {
    const own = calls.filter(({ resource }) => resource === name);
    const texts = own.map((call) => section(call, calls, catalogue, values, answers.get(call.id)));
    return [`## ${name[0]!.toUpperCase()}${name.slice(1)}`, description, ...(await Promise.all(texts))].join('\n\n');
  });
  return (await Promise.all(parts)).join('\n\n');
}

async function section(
  call: Call,
  calls: readonly Call[],
  { rules }: Catalogue,
  values: Values,
  answer: unknown,
): Promise<string> {
  const { statement } = rules.find(({ id }) => id === call.rule)!;
  return [
    `### ${call.title}`,
    [call.description, notes[call.operation.replace('.post', '')], newerOf(call, calls)].filter(Boolean).join(' '),
    `Rule \`${call.rule}\`: ${statement}`,
    needOf(call, calls),
    `\`\`\`sh\n${curl(call, values)}\n\`\`\``,
    `\`\`\`json\n${await json(answer)}\n\`\`\``,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function anchor({ title }: Call): string {
  const words = title.toLowerCase().replaceAll(/[^\w\s-]/g, '');
  return words.replaceAll(' ', '-');
}

/** Says which version is the newest that has the operation and serves it, if this one is not. */
function newerOf({ name, version, operation }: Call, calls: readonly Call[]): string {
  const method = operation.endsWith('.post');
  const same = calls.filter((one) => one.name === name && one.operation.endsWith('.post') === method && !isPaused(one));
  const newest = same.toSorted((a, b) => b.version.localeCompare(a.version)).find((one) => one.version > version);
  return newest ? `The newest version is [${newest.version}](#${anchor(newest)}).` : '';
}

function isPaused({ title }: Call): boolean {
  return title.endsWith(', paused)');
}

function needOf(call: Call, calls: readonly Call[]): string {
  const needed = calls.find(({ id }) => id === call.needs);
  return needed ? `Make this call first: [${needed.title}](#${anchor(needed)}).` : '';
}

function curl(call: Call, values: Values): string {
  const verb = call.method === (call.body === undefined ? 'GET' : 'POST') ? '' : ` -X ${call.method}`;
  const user = call.auth ? ` -u ${USER}` : '';
  const line = `curl${verb}${user} ${shellWord(BASE + pathOf(call, values))}`;
  if (call.body === undefined) return line;
  return `${line} \\\n  -H 'Content-Type: application/json' -d ${quoted(filled(call.body, values))}`;
}

function shellWord(url: string): string {
  return /[?&]/.test(url) ? quoted(url) : url;
}

async function json(value: unknown): Promise<string> {
  const { code } = await format('body.json', JSON.stringify(value), { printWidth: 120, objectWrap: 'collapse' });
  return code.trimEnd();
}

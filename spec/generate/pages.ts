import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Phase, scenarios } from '../../src/contract/generated/scenarios.js';
import { commandLineSections, flagTables } from './command-line.js';
import { currencyTable, facilityNeedTable, magicFacilityTable } from './facility-tables.js';
import { rootFolder } from './folders.js';
import { code, table } from './markdown.js';
import { loadObligations, type Obligation } from './obligations.js';
import { optionTables } from './option-tables.js';
import { contradictionTable, dialectTable, questionTexts } from './question-texts.js';
import { quickStartSections } from './quick-starts.js';
import { fieldTable, operationMatrix } from './version-tables.js';

/** The pages that people read: the README and the guides. */
function pageNames(): string[] {
  const guides = ['docs', 'docs/quick-starts'].flatMap((folder) => {
    const names = readdirSync(resolve(rootFolder, folder)).filter((name) => name.endsWith('.md'));
    return names.sort().map((name) => `${folder}/${name}`);
  });
  return ['README.md', ...guides];
}

/** The shorter examples: the region of that name in a file of `test/examples`. */
const examples: Readonly<Record<string, string>> = {
  server: 'msw.test.ts',
  override: 'msw.test.ts',
  callback: 'msw.test.ts',
  boundary: 'msw-boundary.test.ts',
  worker: 'worker.ts',
  'vite-sandbox': 'vite/src/sandbox.ts',
  'vite-main': 'vite/src/main.ts',
  'cypress-tasks': 'cypress-tasks.ts',
  fixture: 'vitest.test.ts',
  'fixture-msw': 'vitest.test.ts',
  hooks: 'hooks.test.ts',
  'node-test': 'node-test.ts',
  types: 'types.test.ts',
  assertions: 'assertions.test.ts',
  failure: 'failure.test.ts',
  'admin-client': 'admin-client.test.ts',
  clock: 'time/clock.test.ts',
  receiver: 'time/receiver.ts',
  conformance: 'conformance.test.ts',
};

function example(name: string, file: string): string {
  const text = readFileSync(resolve(rootFolder, 'test/examples', file), 'utf8');
  const [, code] = new RegExp(`^// #region ${name}\\n([^]*?)\\n// #endregion$`, 'm').exec(text) ?? [];
  if (code === undefined)
    throw new Error(`test/examples/${file} has no region ${name}, which a page shows. Please restore its marks.`);
  return `\`\`\`ts\n${code}\n\`\`\``;
}

function scenarioTable(): string {
  const rows = scenarios.map(({ id, means, checkpoint, effect, after, weight = 1 }) => {
    const [phase] = Object.keys(after);
    const delay = 'delay' in effect && effect.delay !== undefined ? `; delay=${effect.delay}` : '';
    const states = ['before-commit', 'after-commit'].map((one) => after[one as Phase] ?? '');
    return [code(id), means, checkpoint, code(`phase=${phase}${delay}`), ...states, String(weight)];
  });
  const phases = ['after `before-commit`', 'after `after-commit`'];
  return table(['scenario', 'simulates', 'triggered at', 'default', ...phases, 'weight'], rows);
}

function obligationTable(): string {
  const from = ({ source, reason = '' }: Obligation): string =>
    [reason, source ? `${source.section}, ${source.item}` : ''].filter((text) => text !== '').join(' ');
  const rows = [...loadObligations().values()]
    .flat()
    .map((one) => [code(one.id), one.statement, one.severity, from(one), one.seen, one.toSee]);
  return table(
    ['obligation', 'what it says', 'severity', 'reason and source', 'how it is checked', 'how to show it'],
    rows,
  );
}

interface Outcome {
  readonly rule: string;
  readonly survived?: string;
}

/** How many of the planted defects the conformance suite finds, by resource. */
function killTable(): string {
  const folder = resolve(rootFolder, 'test/conformance/matrix/kill');
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const all = files.flatMap((name) => JSON.parse(readFileSync(resolve(folder, name), 'utf8')) as Outcome[]);
  const resources = [...new Set(all.map(({ rule }) => rule.split('.')[0]!))].sort();
  const line = (name: string, some: readonly Outcome[]): string[] => {
    const rules = new Set(some.map(({ rule }) => rule)).size;
    const killed = some.filter(({ survived }) => survived === undefined).length;
    return [name, ...[rules, some.length, killed].map(String)];
  };
  const rows = resources.map((name) => {
    const own = all.filter(({ rule }) => rule.startsWith(`${name}.`));
    return line(name, own);
  });
  return table(['rules of', 'rules', 'defects planted', 'found'], [...rows, line('all', all)]);
}

const sections: Readonly<Record<string, () => string>> = {
  dialect: dialectTable,
  contradictions: contradictionTable,
  questions: questionTexts,
  ...commandLineSections,
  ...optionTables,
  'check-flags': () => flagTables('check'),
  'proxy-flags': () => flagTables('proxy'),
  'certify-flags': () => flagTables('certify'),
  ...quickStartSections,
  scenarios: scenarioTable,
  facilities: magicFacilityTable,
  'facility-needs': facilityNeedTable,
  currencies: currencyTable,
  obligations: obligationTable,
  'version-operations': operationMatrix,
  'version-facility': () => fieldTable('facility'),
  'version-tee-time': () => fieldTable('tee time'),
  'version-booking-request': () => fieldTable('booking request'),
  'version-listed-booking': () => fieldTable('listed booking'),
  'kill-matrix': killTable,
  ...Object.fromEntries(Object.entries(examples).map(([name, file]) => [name, () => example(name, file)])),
};

/** Where a section is in a page: between `<!-- NAME: generated -->` and `<!-- /NAME -->`. */
function findSection(text: string, name: string): { readonly start: number; readonly end: number } | undefined {
  const [open, close] = [`<!-- ${name}: generated -->\n`, `<!-- /${name} -->`];
  const at = text.indexOf(open);
  const start = at + open.length;
  const end = text.indexOf(close, start);
  return at < 0 || end < 0 ? undefined : { start, end };
}

/**
 * The pages with their generated sections written anew.
 *
 * @param pages Texts by file name, from the root of the project.
 * @throws {Error} when a section has no place in any page, or has several.
 */
export function writtenPages(pages: ReadonlyMap<string, string>): Map<string, string> {
  const written = new Map(pages);
  for (const [name, make] of Object.entries(sections)) {
    const places = [...written].filter(([, text]) => findSection(text, name));
    const [first, second] = places;
    if (!first) throw new Error(`No page has a place for the section ${name}. Please restore its marks.`);
    if (second) throw new Error(`${first[0]} and ${second[0]} both have the section ${name}. Please keep one.`);
    const [file, text] = first;
    const { start, end } = findSection(text, name)!;
    written.set(file, `${text.slice(0, start)}${make()}\n${text.slice(end)}`);
  }
  return written;
}

/** The pages as they are on disk. */
export function readPages(): Map<string, string> {
  return new Map(pageNames().map((name) => [name, readFileSync(resolve(rootFolder, name), 'utf8')]));
}

/** The pages whose generated sections are out of date; writes them unless only checking. */
export function stalePages(write: boolean): string[] {
  const before = readPages();
  const stale = [...writtenPages(before)].filter(([name, text]) => text !== before.get(name));
  if (write) for (const [name, text] of stale) writeFileSync(resolve(rootFolder, name), text);
  return stale.map(([name]) => name);
}

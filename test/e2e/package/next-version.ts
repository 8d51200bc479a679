import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSeq, parse, parseDocument, stringify } from 'yaml';
import { operations, type OperationSpec } from '../../../src/contract/generated/operations.js';

const versioned: readonly OperationSpec[] = operations.filter(({ version }) => version !== '*');
const order = (version: string): number => Number(version.slice(1));
/** The newest version of the contract, and the one after it. */
const latest = versioned.map(({ version }) => version).reduce((a, b) => (order(a) > order(b) ? a : b));
export const next = `v${order(latest) + 1}`;

/** The newest version that has each operation, by name. */
const newest = new Map(
  [...versioned].sort((a, b) => order(a.version) - order(b.version)).map(({ name, version }) => [name, version]),
);

/**
 * Adds the next version to a copy of the project: it has every operation, each as its newest version has it. The steps
 * are those of "The same operation in a new version" in docs/architecture.md, in their order.
 */
export function addVersion(root: string): void {
  const edit = (file: string, change: (text: string) => string): void => {
    const path = join(root, file);
    const text = readFileSync(path, 'utf8');
    const changed = change(text);
    if (changed === text) throw new Error(`Nothing changed in ${file}.`);
    writeFileSync(path, changed);
  };
  writeFileSync(join(root, 'spec/paths', `${next}.yaml`), stringify(pathsOf(root)));
  edit('spec/shared.yaml', (text) => text.replace(`, ${latest}] }`, `, ${latest}, ${next}] }`));
  edit('spec/open-questions.yaml', (text) =>
    text.replaceAll(`\n    - ${latest}\n  `, `\n    - ${latest}\n    - ${next}\n  `),
  );
  for (const file of readdirSync(join(root, 'spec/rules'))) edit(`spec/rules/${file}`, withNext);
  edit('spec/document.yaml', withRows);
  writeFileSync(join(root, 'src/engine/api/versions', `${next}.ts`), handlers());
  edit('src/engine/api/versions/index.ts', (text) =>
    text.replaceAll(new RegExp(`.*\\b${latest}\\b.*\n`, 'g'), (line) => line + line.replaceAll(latest, next)),
  );
}

/** The operations of the next version: copies, with another version in path and id. */
function pathsOf(root: string): Record<string, unknown> {
  const paths: Record<string, unknown> = {};
  for (const version of new Set(newest.values())) {
    const text = readFileSync(join(root, 'spec/paths', `${version}.yaml`), 'utf8');
    const all = parse(text) as Record<string, Record<string, { operationId: string }>>;
    for (const [path, item] of Object.entries(all)) {
      const own = Object.entries(item).filter(
        ([, { operationId }]) => newest.get(operationId.split('.')[1]!) === version,
      );
      const copies = own.map(([method, operation]) => [method, renamed(operation)]);
      if (copies.length === 0) continue;
      const place = path.replace(`/${version}/`, `/${next}/`);
      paths[place] = { ...(paths[place] as object | undefined), ...Object.fromEntries(copies) };
    }
  }
  return paths;
}

/** The same with the ids of the next version; that of a callback has none so far. */
function renamed(operation: object): unknown {
  const text = JSON.stringify(operation);
  return JSON.parse(text.replaceAll(/"operationId":"(?:v\d+\.)?/g, `"operationId":"${next}.`));
}

/** The rules of a file, with the next version where they hold for the newest version of an operation. */
function withNext(text: string): string {
  const document = parseDocument(text);
  for (const rule of document.contents && isSeq(document.contents) ? document.contents.items : []) {
    const { operations: names, versions } = (
      rule as { toJSON(): { operations: string[]; versions?: string[] } }
    ).toJSON();
    if (!versions || versions.includes('*')) continue;
    if (names.some((name) => versions.includes(newest.get(name) ?? ''))) {
      (rule as { addIn(path: string[], value: string): void }).addIn(['versions'], next);
    }
  }
  return document.toString();
}

/** The table of the versions, with the next one in the row of the newest version of each operation. */
function withRows(text: string): string {
  return versioned
    .filter(({ name, version }) => newest.get(name) === version)
    .reduce((all, { path, version }) => {
      const row = path.replace(`/${version}/`, '/vN/');
      return all
        .split('\n')
        .map((line) =>
          line.includes(` ${row}: `) && line.includes(version) && !line.includes(next) ? `${line} ${next}` : line,
        )
        .join('\n');
    }, text);
}

function handlers(): string {
  const sources = [...new Set(newest.values())].sort();
  return `import type { Handlers } from './handlers.js';
${sources.map((one) => `import { ${one} } from './${one}.js';`).join('\n')}

export const ${next} = {
${[...newest].map(([name, version]) => `  ${name}: ${version}.${name},`).join('\n')}
} satisfies Handlers<'${next}'>;
`;
}

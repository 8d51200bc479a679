/**
 * Derives files from `spec/`, `scenarios/` and `fixtures/`. Not committed, and made by `npm ci` and by each build that finds
 * them stale: `src/contract/generated` and `docs/collections`. Committed: the list of paths in `spec/openapi.yaml`,
 * `spec/check.schema.json`, and the generated sections of README.md and docs/.
 *
 * - `--derived` writes only what is not committed.
 * - `--check` does so too, and exits 1 if a committed file is stale.
 *
 * @module
 */
import { relative } from 'node:path';
import { builtFiles } from './generate/built.js';
import { type Files, writeFiles } from './generate/files.js';
import { builtFolder, outputFolder, rootFolder } from './generate/folders.js';
import { stalePathList } from './generate/path-list.js';
import { loadSources, type Sources } from './generate/sources.js';
import { typedFiles } from './generate/typed.js';
import { changedSummary } from './generate/summary.js';
import { stampDerived } from './generate/stamp.mjs';

/**
 * Scenarios are checked against the engine, and the collections come from a running sandbox. So the modules of both are
 * loaded after what they import is written.
 */
async function writeDerived(sources: Sources): Promise<string[]> {
  const folders: [string, Files][] = [
    [outputFolder, await typedFiles(sources)],
    [builtFolder, builtFiles(sources)],
  ];
  const pathsOf = (folder: string, names: readonly string[]): string[] =>
    names.map((name) => `${relative(rootFolder, folder)}/${name}`);
  const written = folders.flatMap(([folder, files]) => pathsOf(folder, writeFiles(folder, files)));
  const { checkScenarioNames } = await import('./generate/scenario-names.js');
  checkScenarioNames(sources);
  const { writeCollections } = await import('./generate/collections/write.js');
  const collections = await writeCollections(sources.contract);
  const all = folders.flatMap(([folder, files]) => pathsOf(folder, Object.keys(files)));
  stampDerived([...all, ...collections.all]);
  return [...written, ...collections.written];
}

/** The sections of the pages are read from what is derived, so their modules are loaded after that is written. */
async function staleCommitted(sources: Sources, check: boolean): Promise<string[]> {
  const { stalePages } = await import('./generate/pages.js');
  const { staleCheckConfig } = await import('./generate/check-config.js');
  const { staleOperationsPage } = await import('./generate/calls/page.js');
  const operations = await staleOperationsPage(sources.contract, sources.catalogue, !check);
  return [...staleCheckConfig(!check), ...stalePages(!check), ...operations];
}

async function main(options: readonly string[]): Promise<void> {
  const [derived, check] = ['--derived', '--check'].map((option) => options.includes(option));
  const stale = !derived && stalePathList(!check) ? ['spec/openapi.yaml'] : [];
  const sources = await loadSources();
  const written = await writeDerived(sources);
  if (derived) return;
  stale.push(...(await staleCommitted(sources, check!)));
  if (check && stale.length > 0) {
    const remedy = 'Run `npm run generate` and commit the result.';
    throw new Error(`These generated files are out of date: ${stale.join(', ')}. ${remedy}`);
  }
  if (!check) written.push(...stale);
  console.log(changedSummary(written));
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

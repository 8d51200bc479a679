/**
 * Writes `src/contract/generated`, the list of paths in `spec/openapi.yaml`, `spec/check.schema.json`, and the generated sections of README.md and docs/ from
 * `spec/`, `scenarios/` and `fixtures/`.
 *
 * - `--built` writes only `src/contract/generated/built`, which is not committed.
 * - `--check` writes only `src/contract/generated/built`, and exits 1 if a committed file is stale.
 *
 * @module
 */
import { builtFiles } from './generate/built.js';
import { staleFiles, writeFiles } from './generate/files.js';
import { builtFolder, outputFolder } from './generate/folders.js';
import { stalePathList } from './generate/path-list.js';
import { loadSources, type Sources } from './generate/sources.js';
import { stampBuilt } from './generate/stamp.mjs';

/** The sections of the pages are read from what is generated, so their module is loaded after that is written. */
async function staleCommitted(sources: Sources, check: boolean): Promise<string[]> {
  const { committedFiles } = await import('./generate/committed.js');
  const files = await committedFiles(sources);
  const stale = check ? staleFiles(outputFolder, files) : writeFiles(outputFolder, files);
  const names = stale.map((name) => `src/contract/generated/${name}`);
  if (check && stale.length > 0) return names;
  const { stalePages } = await import('./generate/pages.js');
  const { staleCheckConfig } = await import('./generate/check-config.js');
  const { staleOperationsPage } = await import('./generate/calls/page.js');
  const operations = await staleOperationsPage(sources.contract, sources.catalogue, !check);
  const { staleCollections } = await import('./generate/collections/stale.js');
  const collections = await staleCollections(sources.contract, !check);
  return [...names, ...staleCheckConfig(!check), ...stalePages(!check), ...operations, ...collections];
}

function writeBuilt(sources: Sources): string[] {
  const files = builtFiles(sources);
  const written = writeFiles(builtFolder, files);
  stampBuilt(Object.keys(files));
  return written.map((name) => `src/contract/generated/built/${name}`);
}

async function main(options: readonly string[]): Promise<void> {
  const [built, check] = ['--built', '--check'].map((option) => options.includes(option));
  const stale = !built && stalePathList(!check) ? ['spec/openapi.yaml'] : [];
  const sources = await loadSources();
  const written = writeBuilt(sources);
  if (built) return;
  stale.push(...(await staleCommitted(sources, check!)));
  if (check && stale.length > 0) {
    const remedy = 'Run `npm run generate` and commit the result.';
    throw new Error(`These generated files are out of date: ${stale.join(', ')}. ${remedy}`);
  }
  if (!check) written.push(...stale);
  console.log(written.length === 0 ? 'The generated files are up to date.' : `Wrote ${written.join(', ')}.`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

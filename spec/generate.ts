/**
 * Writes `src/generated` and the generated sections of the README from `spec/` and `fixtures/`. With `--check` it
 * writes nothing and exits 1 when a file is not what it would write.
 *
 * @module
 */
import { generateFiles, staleFiles, writeFiles } from './generate/files.js';
import { readmeIsFresh } from './generate/readme.js';

try {
  const files = await generateFiles();
  const check = process.argv.includes('--check');
  const stale = check ? staleFiles(files) : writeFiles(files);
  if (!readmeIsFresh(!check)) stale.push('README.md');
  if (check && stale.length > 0) {
    const remedy = 'Please run `npm run generate` and commit the result.';
    console.error(`What is generated is stale: ${stale.join(', ')}. ${remedy}`);
    process.exitCode = 1;
  } else {
    console.log(stale.length === 0 ? 'What is generated is up to date.' : `Wrote ${stale.join(', ')}.`);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

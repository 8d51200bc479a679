/**
 * The benchmark: Teebox as users have it, beside bare Hono sending the same bytes. It reports and judges nothing;
 * it fails only when it could not measure.
 *
 * Usage: npm run bench -- [--only PART] [--rounds N] [--json FILE]
 *        npm run bench -- --page [--only PART]   writes the figures into docs/speed.md
 *        npm run bench -- --profile DIR          writes profiles of the server
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { cleanUp } from './children.js';
import { type Options, readOptions } from './options.js';
import { partsOfPage, writeFigures } from './page.js';
import { askedParts, parts } from './parts.js';
import { leaveServerCore } from './processor.js';
import { type Section, sectionText } from './report.js';
import { writeProfiles } from './table/profile.js';

/** The parts asked for; each section is shown as soon as it is measured. */
async function measure({ only, rounds, page }: Options): Promise<Section[]> {
  const sections: Section[] = [];
  for (const name of only) {
    process.stderr.write(`${name} ...\n`);
    const found = await { ...parts, ...askedParts }[name]!(rounds);
    for (const section of found) console.log(sectionText(section));
    if (page) writeFigures(name, found);
    sections.push(...found);
  }
  return sections;
}

const options = readOptions({ usual: Object.keys(parts), asked: Object.keys(askedParts), ofPage: partsOfPage() });
const start = performance.now();
console.log(`Node ${process.version}, ${cpus().length} processors`);
leaveServerCore();
try {
  if (options.profile) await writeProfiles(options.profile);
  const sections = options.profile ? [] : await measure(options);
  console.log(`\nMeasured in ${((performance.now() - start) / 1000).toFixed(0)} s.`);
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ node: process.version, sections }, null, 2)}\n`);
} catch (error) {
  console.error(`Failed to measure: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  cleanUp();
}

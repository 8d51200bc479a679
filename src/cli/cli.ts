#!/usr/bin/env node
import { nodeFault } from './node-version.js';

// The rest imports what an older Node lacks, so it is loaded only after the look at the version.
const fault = nodeFault(process.versions.node);
if (fault === undefined) void import('./main.js').then(({ main }) => main(new URL(import.meta.url)));
else {
  process.stderr.write(`teebox: ${fault}\n`);
  process.exitCode = 2;
}

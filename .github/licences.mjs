// Prints name, version and licence of each package of a CycloneDX list. Fails for a licence that nobody has looked at yet.
import { readFileSync } from 'node:fs';

/** Those of packages that are bundled, and those of tools, whose code is in no package of ours. */
const known =
  /^(MIT|ISC|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|Python-2\.0|PSF-2\.0|MPL-2\.0|\(MIT OR CC0-1\.0\))$/;

const { components } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
for (const { name, version, licenses = [] } of components) {
  const words = licenses.map(({ license, expression }) => expression ?? license.id ?? license.name).join(' ');
  process.stdout.write(`${[name, version, words].join('\t')}\n`);
  if (known.test(words)) continue;
  process.stderr.write(`${name} ${version} has the licence "${words}", which is not in .github/licences.mjs.\n`);
  process.exitCode = 1;
}
if (components.length === 0) throw new Error('The list has no package.');

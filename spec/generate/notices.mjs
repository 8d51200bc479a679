// The licences of the packages whose code is in a bundle, which ask to be passed on with it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const texts = /^(licen[cs]e|copying|notice)\b/i;

/** The files of each package from which code went into the outputs of builds with esbuild, by its folder. */
function bundledPackages(metafiles) {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs));
  const inputs = outputs.flatMap((output) =>
    Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  const files = new Map();
  for (const path of new Set(inputs)) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
    if (folder !== undefined) files.set(folder, [...(files.get(folder) ?? []), path]);
  }
  return [...files].sort(([one], [other]) => (one < other ? -1 : 1));
}

/**
 * The notices of all packages in these builds: name, version, licence and its text. Fails for a package without a text, whose
 * licence somebody must look up.
 */
export function noticesOf(...metafiles) {
  const notices = bundledPackages(metafiles).map(([folder, inputs]) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const own = existsSync(folder) ? readdirSync(folder).filter((file) => texts.test(file)) : [];
    if (own.length === 0) throw new Error(`${name} ${version} is bundled, but ${folder} has no text of its licence.`);
    // A file that is itself a bundle has the licences of its parts next to it.
    const parts = inputs.map((path) => `${path}.LICENSE.txt`).filter((path) => existsSync(path));
    const files = [...own.map((file) => join(folder, file)), ...parts];
    const body = files.map((file) => readFileSync(file, 'utf8').trim()).join('\n\n');
    return `${name} ${version} (${license})\n\n${body}\n`;
  });
  const rule = `\n${'-'.repeat(80)}\n\n`;
  return `The bundles of Teebox contain code of these packages.\n${rule}${notices.join(rule)}`;
}

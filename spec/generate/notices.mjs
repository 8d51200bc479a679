// The licences of the packages whose code is in a bundle, which ask to be passed on with it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const texts = /^(licen[cs]e|copying|notice)\b/i;

/** The folders of the packages from which code went into the outputs of builds with esbuild. */
function bundledPackages(metafiles) {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs));
  const inputs = outputs.flatMap((output) =>
    Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  const folders = inputs.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

/**
 * The notices of all packages in these builds: name, version, licence and its text. Fails for a package without a text, whose
 * licence somebody must look up.
 */
export function noticesOf(...metafiles) {
  const notices = bundledPackages(metafiles).map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const files = existsSync(folder) ? readdirSync(folder).filter((file) => texts.test(file)) : [];
    if (files.length === 0) throw new Error(`${name} ${version} is bundled, but ${folder} has no text of its licence.`);
    const body = files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
    return `${name} ${version} (${license})\n\n${body}\n`;
  });
  const rule = `\n${'-'.repeat(80)}\n\n`;
  return `The bundles of Teebox contain code of these packages.\n${rule}${notices.join(rule)}`;
}

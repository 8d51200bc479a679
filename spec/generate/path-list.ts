import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { specFolder } from './folders.js';

const root = resolve(specFolder, 'openapi.yaml');
const folder = resolve(specFolder, 'paths');
/** The list, up to the next line that is not indented. */
const place = /^paths:\n(?: .*\n)*/m;

/** A reference to each path that a file of `spec/paths` describes, as YAML. */
function referencesTo(file: string): string[] {
  const keys = [...readFileSync(resolve(folder, file), 'utf8').matchAll(/^(\/\S*):$/gm)].map(([, path]) => path!);
  return keys.map((path) => `  ${path}:\n    $ref: paths/${file}#/${path.replaceAll('/', '~1')}\n`);
}

/** Whether the list of paths in `spec/openapi.yaml` is out of date. With `write`, it is written anew. */
export function stalePathList(write: boolean): boolean {
  const text = readFileSync(root, 'utf8');
  const list = readdirSync(folder).sort().flatMap(referencesTo);
  const fresh = text.replace(place, () => `paths:\n${list.join('')}`);
  if (write && fresh !== text) writeFileSync(root, fresh);
  return fresh !== text;
}

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { answerConsole } from '../engine/index.js';
import { packageFile, packageFolder } from './package-files.js';

/** The files of the console. Each is read, and compressed, when a browser first asks for it. */
const FOLDER = 'dist/console';

let names: Promise<ReadonlySet<string>> | undefined;

/** The file of a name. None if there is no such file, or if the package was bundled without them. */
async function plain(name: string): Promise<Buffer<ArrayBuffer> | undefined> {
  names ??= packageFolder(FOLDER).then((found) => new Set(found));
  return (await names).has(name) ? packageFile(`${FOLDER}/${name}`) : undefined;
}

const compress = promisify(gzip);
const kept = new Map<string, Promise<Buffer<ArrayBuffer>>>();

/** The file of a name, compressed once. */
async function compressed(name: string): Promise<Buffer<ArrayBuffer> | undefined> {
  const before = kept.get(name);
  if (before) return before;
  const file = await plain(name);
  if (!file) return plain(`${name}.gz`);
  const small = compress(file);
  kept.set(name, small);
  return small;
}

/** The console for a browser; undefined for everything else, which the sandbox answers. */
export function showConsole(request: Request): Promise<Response | undefined> {
  return answerConsole(request, plain, compressed);
}

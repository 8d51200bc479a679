import { readdir, readFile } from 'node:fs/promises';
import { answerConsole } from '../../hosts/console.js';

/**
 * The files of the console: beside the bundle, or in `dist` when run from source. This module is loaded with the first
 * request of a browser, so that it is always in a chunk of its own, and the server starts without it.
 */
const folder = new URL(import.meta.url.endsWith('.ts') ? '../../../dist/console/' : '../console/', import.meta.url);

let listed: Promise<ReadonlySet<string>> | undefined;

/** The names of the files, read once. None if the package was bundled without them. */
function names(): Promise<ReadonlySet<string>> {
  listed ??= readdir(folder).then(
    (found) => new Set(found),
    () => new Set<string>(),
  );
  return listed;
}

/** The console for a browser; undefined for everything else, which the sandbox answers. */
export function showConsole(request: Request): Promise<Response | undefined> {
  return answerConsole(request, async (name) =>
    (await names()).has(name) ? readFile(new URL(name, folder)) : undefined,
  );
}

import { answerConsole } from '../engine/index.js';
import { packageFile, packageFolder } from './package-files.js';

/** The files of the console, and the same compressed. They are read when a browser first asks for them. */
const PLAIN = 'dist/console';
const GZIP = 'dist/console-gzip';

const listed = new Map<string, Promise<ReadonlySet<string>>>();

/** The names of the files in a folder, read once. None if the package was bundled without them. */
function namesIn(folder: string): Promise<ReadonlySet<string>> {
  let names = listed.get(folder);
  if (!names) listed.set(folder, (names = packageFolder(folder).then((found) => new Set(found))));
  return names;
}

const readerOf = (folder: string) => async (name: string) =>
  (await namesIn(folder)).has(name) ? packageFile(`${folder}/${name}`) : undefined;

/** The console for a browser; undefined for everything else, which the sandbox answers. */
export function showConsole(request: Request): Promise<Response | undefined> {
  return answerConsole(request, readerOf(PLAIN), readerOf(GZIP));
}

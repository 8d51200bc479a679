import { answerConsole } from '../engine/index.js';
import { packageFile, packageFolder } from './package-files.js';

/** The files of the console. Each is read when a browser asks for it. */
const FOLDER = 'dist/console';

let names: Promise<ReadonlySet<string>> | undefined;

/** The file of a name. None if there is no such file, or if the package was bundled without them. */
async function read(name: string): Promise<Buffer<ArrayBuffer> | undefined> {
  names ??= packageFolder(FOLDER).then((found) => new Set(found));
  return (await names).has(name) ? packageFile(`${FOLDER}/${name}`) : undefined;
}

/** The console for a browser; undefined for everything else, which the sandbox answers. */
export function showConsole(request: Request): Promise<Response | undefined> {
  return answerConsole(request, read);
}

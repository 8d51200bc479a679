import { answerConsole } from '../engine/index.js';
import { packageFile, packageFolder } from './package-files.js';

/** The files of the console. They are read when a browser first asks for them, and the server starts without. */
const FOLDER = 'dist/console';

let listed: Promise<ReadonlySet<string>> | undefined;

/** The names of the files, read once. None if the package was bundled without them. */
function names(): Promise<ReadonlySet<string>> {
  listed ??= packageFolder(FOLDER).then((found) => new Set(found));
  return listed;
}

/** The console for a browser; undefined for everything else, which the sandbox answers. */
export function showConsole(request: Request): Promise<Response | undefined> {
  return answerConsole(request, async (name) =>
    (await names()).has(name) ? packageFile(`${FOLDER}/${name}`) : undefined,
  );
}

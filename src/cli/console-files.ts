import { answerConsole } from '../engine/index.js';
import { packageFile, packageFolder } from './package-files.js';

/** Folders with files for the console. Each file is read when a browser asks for it. */
const FOLDERS = ['', 'console/', 'chunks/', 'docs/', 'docs/quick-starts/'];

let known: Promise<ReadonlySet<string>> | undefined;

async function list(): Promise<ReadonlySet<string>> {
  const names = FOLDERS.map(async (folder) =>
    (await packageFolder(`dist/${folder}`)).map((name) => `${folder}${name}`),
  );
  return new Set((await Promise.all(names)).flat());
}

/** A file of `dist`. None if there is no such file, or if the package was bundled without them. */
async function read(path: string): Promise<Buffer<ArrayBuffer> | undefined> {
  known ??= list();
  return (await known).has(path) ? packageFile(`dist/${path}`) : undefined;
}

/** The console for a browser; undefined for everything else, which the sandbox answers. */
export function showConsole(request: Request): Promise<Response | undefined> {
  return answerConsole(request, read);
}

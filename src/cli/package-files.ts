import { readdir, readFile } from 'node:fs/promises';
import { relative } from 'node:path/posix';
import { getRawAsset, isSea } from 'node:sea';

/** The root of the package: from a chunk in `dist/chunks`, and from here when run from source. */
const root = new URL('../../', import.meta.url);

/** Lists the assets of a single executable, as a JSON array. The build of the executable writes it. */
const ASSET_LIST = 'assets.json';

/**
 * Reads a file that ships with the package, by its path from the root of the package. In a single executable it is an
 * asset of that name.
 */
export async function packageFile(path: string): Promise<Buffer<ArrayBuffer>> {
  return isSea() ? Buffer.from(getRawAsset(path) as ArrayBuffer) : readFile(new URL(path, root));
}

/** The names of the files in a folder of the package; none if it was bundled without the folder. */
export async function packageFolder(folder: string): Promise<readonly string[]> {
  if (!isSea()) return readdir(new URL(`${folder}/`, root)).catch(() => []);
  const assets = JSON.parse((await packageFile(ASSET_LIST)).toString()) as readonly string[];
  return assets.map((path) => relative(folder, path)).filter((path) => !path.includes('/'));
}

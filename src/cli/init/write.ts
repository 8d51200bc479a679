import { existsSync } from 'node:fs';
import { mkdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '../usage-error.js';

/** A file of a project: written now, or kept as somebody has it. */
export interface Written {
  readonly path: string;
  readonly kept: boolean;
}

/**
 * Writes files, never over one that somebody may have changed.
 *
 * @throws {UsageError} where the project does not let it.
 */
export async function writeAll(folder: string, files: Readonly<Record<string, string>>): Promise<Written[]> {
  const written: Written[] = [];
  for (const [path, text] of Object.entries(files)) {
    try {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text, { flag: 'wx' });
      written.push({ path, kept: false });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST')
        throw new UsageError(`Failed to write ${path}: ${code}. Run \`teebox init\` in a folder where you can write.`);
      written.push({ path, kept: true });
    }
  }
  return written;
}

/** Removes what was written, and the folders that are empty without it. */
export async function takeBack(folder: string, written: readonly Written[]): Promise<void> {
  for (const { path } of written.filter(({ kept }) => !kept)) {
    await rm(join(folder, path));
    for (let at = dirname(path); at !== '.' && existsSync(join(folder, at)); at = dirname(at)) {
      if (
        !(await rmdir(join(folder, at)).then(
          () => true,
          () => false,
        ))
      )
        break; // it has other files
    }
  }
}

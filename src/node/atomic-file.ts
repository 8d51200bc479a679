import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Replaces a file atomically: it writes a temporary file, syncs it to disk and renames it. Even after a kill, the file
 * is the old one or the new one.
 *
 * @param mode Permissions of the file. Default: those of a new file.
 */
export async function replaceFile(file: string, text: string, mode?: number): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    const handle = await open(temporary, 'w', mode);
    try {
      // A file left by an earlier process has kept its own permissions.
      if (mode !== undefined) await handle.chmod(mode);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
  await syncFolder(dirname(file));
}

/** Syncs the rename to disk. Not every system can open a folder. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Puts a text in the place of a file in one step, forced to the disk: at any moment, also after a kill, the file is the
 * old one or the new one.
 *
 * @param mode Permissions of the file; default: what the system gives a new one.
 */
export async function replaceFile(file: string, text: string, mode?: number): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    const handle = await open(temporary, 'w', mode);
    try {
      // One that an earlier process left behind keeps the permissions that it was made with.
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

/** Makes the rename last; not every system lets a folder be opened. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

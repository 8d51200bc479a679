// Loaded into a process before its own code. Notes what the process does to the files of the folder DISK_FOLDER, a line
// for each change in the file DISK_JOURNAL, and refuses each change while there is a file DISK_READ_ONLY, and each byte
// while there is a file DISK_FULL. It is as strict as any disk: it has no permissions, as FAT, and replaces no file that
// is open, as Windows.
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, resolve } from 'node:path';

const { DISK_FOLDER: folder, DISK_JOURNAL: journal, DISK_READ_ONLY: readOnly, DISK_FULL: full } = process.env;
const { existsSync, fstatSync, ftruncateSync, statSync, writeSync } = fs;
const { access, open, rename, rm } = promises;
const { O_EXCL, W_OK } = fs.constants;
const log = fs.openSync(journal, 'a');
/** Inodes by the descriptors that lead to them. */
const inodes = new Map();

const note = (entry) => writeSync(log, `${JSON.stringify(entry)}\n`);
const isHere = (path) => resolve(String(path)) === folder || dirname(resolve(String(path))) === folder;
const written = (inode, at, bytes) => note({ what: 'write', inode, at, bytes: bytes.toString('base64') });

function refuse(code) {
  throw Object.assign(new Error(`${code}: refused`), { code });
}

function change() {
  if (existsSync(readOnly)) refuse('EROFS');
}

function grow() {
  change();
  if (existsSync(full)) refuse('ENOSPC');
}

fs.writeSync = (fd, bytes, offset, length, at) => {
  const inode = inodes.get(fd);
  if (inode === undefined) return writeSync(fd, bytes, offset, length, at);
  grow();
  const count = writeSync(fd, bytes, offset, length, at);
  written(inode, at, bytes.subarray(offset, offset + count));
  return count;
};

fs.ftruncateSync = (fd, size) => {
  const inode = inodes.get(fd);
  if (inode !== undefined) change();
  ftruncateSync(fd, size);
  if (inode !== undefined) note({ what: 'truncate', inode, size });
};

/** What was written when a sync began is on the disk when it has ended. */
function observe(handle, inode) {
  let at = 0;
  const { writeFile, sync, datasync, close } = handle;
  const synced = (method) =>
    async function () {
      const id = `${process.pid}:${performance.now()}`;
      note({ what: 'sync', inode, id });
      await method.call(handle);
      note({ what: 'synced', inode, id });
    };
  return Object.assign(handle, {
    async writeFile(text) {
      grow();
      await writeFile.call(handle, text);
      const bytes = Buffer.from(text);
      written(inode, at, bytes);
      at += bytes.length;
    },
    chmod: async () => refuse('EPERM'),
    sync: synced(sync),
    datasync: synced(datasync),
    close() {
      inodes.delete(handle.fd);
      return close.call(handle);
    },
  });
}

promises.open = async (path, flags, mode) => {
  if (!isHere(path)) return open(path, flags, mode);
  const [writes, isNew] =
    typeof flags === 'number' ? [(flags & 3) !== 0, (flags & O_EXCL) !== 0] : [flags !== 'r', flags === 'wx'];
  // That there is a file already is said first, by a read-only disk, too.
  if (writes && !(isNew && existsSync(path))) change();
  const handle = await open(path, flags, mode);
  const found = fstatSync(handle.fd);
  inodes.set(handle.fd, found.ino);
  note({ what: 'open', name: found.isDirectory() ? '.' : basename(String(path)), inode: found.ino, isNew });
  return observe(handle, found.ino);
};

promises.access = async (path, mode) => {
  if (isHere(path) && (mode & W_OK) !== 0) change();
  return access(path, mode);
};

promises.rename = async (from, to) => {
  if (isHere(to)) change();
  const replaced = isHere(to) ? statSync(to, { throwIfNoEntry: false }) : undefined;
  if (replaced && [...inodes.values()].includes(replaced.ino)) refuse('EPERM');
  await rename(from, to);
  if (isHere(to)) note({ what: 'rename', from: basename(from), to: basename(to) });
};

promises.rm = async (path, options) => {
  if (isHere(path) && existsSync(path)) change();
  await rm(path, options);
  if (isHere(path)) note({ what: 'remove', name: basename(String(path)) });
};

syncBuiltinESMExports();

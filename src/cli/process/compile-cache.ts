import { mkdirSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Lets Node keep what it compiles, among the temporary files, from Node 22 on. Where nothing can be written there, it is
 * left alone: on some paths it would look for a folder for ever.
 */
export function keepCompiled(): void {
  // The types are those of Node 20.
  const { enableCompileCache } = module as typeof module & { readonly enableCompileCache?: () => unknown };
  const isDecided = process.env['NODE_COMPILE_CACHE'] || process.env['NODE_DISABLE_COMPILE_CACHE'];
  if (!enableCompileCache || isDecided || !canMake(join(tmpdir(), 'node-compile-cache'))) return;
  enableCompileCache();
}

function canMake(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST';
  }
}

import type { Metafile } from 'esbuild';
export function mergeChunks(texts: ReadonlyMap<string, string>, metafile: Metafile): Promise<Map<string, string>>;

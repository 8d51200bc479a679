// Bundles the declarations that an entry of the package reaches into dist/types: a file an entry, and what several share.
// `npm run build:types` runs it after the compiler.
import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { pastDoors } from './doors.mjs';
import { entries } from './entries.mjs';

const types = {
  ...entries,
  types: 'src/contract/generated/types.ts',
  'admin-types': 'src/contract/generated/admin-types.ts',
};
const compiled = Object.entries(types).map(([name, path]) => [name, `./.tsc/${path.replace(/\.ts$/, '.d.ts')}`]);

const straight = {
  name: 'doors of wings',
  load: (path) => (path.endsWith('.d.ts') ? pastDoors(readFileSync(path, 'utf8'), dirname(path), '.d.ts') : null),
};

rmSync('dist/types', { recursive: true, force: true });
const bundle = await rolldown({
  input: Object.fromEntries(compiled),
  plugins: [straight, dts({ dtsInput: true, emitDtsOnly: true })],
  external: /^[^./]/,
});
await bundle.write({ dir: 'dist/types', entryFileNames: '[name].d.ts', chunkFileNames: '[name]-[hash].d.ts' });

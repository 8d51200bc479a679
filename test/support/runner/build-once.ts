import { execFileSync } from 'node:child_process';

/** The tests of the command line run what users run: the bundle. The build also generates what is not committed. */
export default function setup(): void {
  execFileSync(process.execPath, ['build.mjs'], { stdio: 'inherit' });
}

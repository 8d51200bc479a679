import { execFileSync } from 'node:child_process';

/** The tests of the command line run what users run: the bundle, built from the sources of now. */
export default function setup(): void {
  execFileSync(process.execPath, ['.build.mjs'], { stdio: 'inherit' });
}

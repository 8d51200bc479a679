// Says which Node is needed, before anything is loaded that an older one lacks. It runs before the build.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const [major, minor] = engines.node.match(/\d+/g).map(Number);
const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number);
if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  console.error(`Teebox needs Node ${major}.${minor} or later to build; this is ${process.versions.node}.`);
  console.error('Install it from https://nodejs.org, or use `nvm install 22`, and run the command again.');
  process.exit(1);
}

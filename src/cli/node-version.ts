/** The oldest version that `engines` of package.json allows. */
const OLDEST = [20, 19] as const;

/** Why a version of Node is too old, and what to do; undefined if it is not. */
export function nodeFault(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNewEnough = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  if (isNewEnough) return undefined;
  return `Node ${OLDEST.join('.')} or later is needed; this is ${version}. Install it from https://nodejs.org, or use \`nvm install 22\`.`;
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Whether a host name means this machine. */
export function isLoopback(hostname: string): boolean {
  return loopback.test(hostname);
}

/** Whether text is an absolute http or https address. */
export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/**
 * Why a callback address may not be reached, or null when it may: loopback always, other hosts by permission,
 * so that the sandbox is no tool to reach other people's networks.
 */
export function whyRefused(url: string, allowed: readonly string[] | 'any'): string | null {
  const { host, hostname } = new URL(url);
  if (allowed === 'any' || isLoopback(hostname)) return null;
  if (allowed.some((name) => name.toLowerCase() === hostname || name.toLowerCase() === host)) return null;
  return (
    `\`callbackUrl\` names the host \`${hostname}\`, which this sandbox may not reach. ` +
    `Start it with \`--allow-callback ${hostname}\`, or use an address on this machine`
  );
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Whether a host name is loopback. */
export function isLoopback(hostname: string): boolean {
  return loopback.test(hostname);
}

/** Whether text is an absolute http or https URL. */
export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/**
 * Why a callback address is not allowed, or null if it is. Loopback is always allowed. Other hosts need permission, so
 * that nobody can use the sandbox to send requests to foreign networks.
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

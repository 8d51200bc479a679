/** Headers as they came: names and values in turn, with their spelling, order and repetitions. */
export type RawHeaders = readonly string[];

/** Headers of one connection (RFC 9110, section 7.6.1). Those that `Connection` names are of this kind too. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** The value of the first header with this name, in lower case. */
export function rawHeader(headers: RawHeaders, name: string): string | undefined {
  for (let at = 0; at < headers.length; at += 2) if (headers[at]!.toLowerCase() === name) return headers[at + 1];
  return undefined;
}

/** The headers that are for the other side, as they came. */
export function endToEnd(headers: RawHeaders): string[] {
  let dropped = hopByHop;
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at]!.toLowerCase() !== 'connection') continue;
    const named = headers[at + 1]!.split(',').map((one) => one.trim().toLowerCase());
    // `Connection: Host` must not take away what the message cannot be without.
    const others = named.filter((one) => !['', 'close', 'host', 'content-length', 'authorization'].includes(one));
    if (others.length > 0) dropped = new Set([...dropped, ...others]);
  }
  return without(headers, dropped);
}

/** The headers without some, by their names in lower case. */
export function without(headers: RawHeaders, names: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    if (!names.has(headers[at]!.toLowerCase())) kept.push(headers[at]!, headers[at + 1]!);
  }
  return kept;
}

export function pairsIn(headers: RawHeaders): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < headers.length; at += 2) pairs.push([headers[at]!, headers[at + 1]!]);
  return pairs;
}

/** Whether the message has a body of unknown length. */
export function isChunked(headers: RawHeaders): boolean {
  return /\bchunked\s*$/i.test(rawHeader(headers, 'transfer-encoding') ?? '');
}

import { defined } from '../../common/index.js';
import type { CheckOptions, Host } from '../../conformance/index.js';
import type { Values } from '../args.js';
import { networkFetch } from '../network/network-fetch.js';
import { type Environment, proxyFor, ProxyError } from '../network/proxy.js';
import { nodeHost } from '../node-host.js';
import { readText } from '../text-file.js';
import { UsageError } from '../usage-error.js';
import { version } from '../version.js';
import type { reachFlags } from './reach-flags.js';

/** The authorities of a whole operating system take a quarter of a MiB. */
const LARGEST_PEM = 4 * 1024 * 1024;

type ReachValues = Values<typeof reachFlags>;

/**
 * How a run reaches its deployment.
 *
 * @throws {UsageError} if the file of certificates cannot be used, or a proxy is no URL.
 */
export async function reachOf(
  baseUrl: string,
  { header = [], 'gateway-basic': gatewayBasic, ca: file, insecure = false }: ReachValues,
  env: Environment,
): Promise<Pick<CheckOptions, 'host' | 'headers' | 'gatewayBasic' | 'userAgent'>> {
  const ca = file === undefined ? undefined : await readCertificates(file);
  return defined({
    host: { ...nodeHost, fetch: fetchFor(baseUrl, ca, insecure, env) },
    headers: Object.fromEntries(header),
    gatewayBasic,
    userAgent: `teebox/${version}`,
  });
}

function fetchFor(baseUrl: string, ca: string | undefined, insecure: boolean, env: Environment): Host['fetch'] {
  try {
    proxyFor(baseUrl, env);
  } catch (error) {
    if (error instanceof ProxyError) throw new UsageError(error.message);
    throw error;
  }
  return networkFetch(defined({ ca, insecure, env }));
}

/** @throws {UsageError} if the file cannot be read, or has no certificate. */
export async function readCertificates(file: string): Promise<string> {
  const failure = (why: string): UsageError => new UsageError(`Failed to read --ca ${file}: ${why}`);
  const text = (await readText(file, LARGEST_PEM, failure)).toString();
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw failure('it has no certificate in PEM.');
}

import { defined } from '../../common/index.js';
import type { CheckOptions, Host } from '../../conformance/index.js';
import type { Values } from '../args.js';
import { networkFetch } from '../network/network-fetch.js';
import { type ClientCertificate, clientFault, type Trust } from '../network/trust.js';
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
 * @throws {UsageError} if a file of certificates cannot be used, or a proxy is no URL.
 */
export async function reachOf(
  baseUrl: string,
  { header = [], 'gateway-basic': gatewayBasic, ...trust }: ReachValues,
  env: Environment,
): Promise<Pick<CheckOptions, 'host' | 'headers' | 'gatewayBasic' | 'userAgent'>> {
  return defined({
    host: { ...nodeHost, fetch: fetchFor(baseUrl, await trustOf(trust, env), env) },
    headers: Object.fromEntries(header),
    gatewayBasic,
    userAgent: `teebox/${version}`,
  });
}

function fetchFor(baseUrl: string, trust: Trust, env: Environment): Host['fetch'] {
  try {
    proxyFor(baseUrl, env);
  } catch (error) {
    if (error instanceof ProxyError) throw new UsageError(error.message);
    throw error;
  }
  return networkFetch({ ...trust, env });
}

/**
 * Which certificates a command trusts, and the one that it shows.
 *
 * @throws {UsageError} if a file cannot be read, or has no certificate or key.
 */
export async function trustOf(
  { ca, cert, key, insecure = false }: Pick<ReachValues, 'ca' | 'cert' | 'key' | 'insecure'>,
  env: Environment,
): Promise<Trust> {
  return defined({
    ca: ca === undefined ? undefined : await readPem('ca', ca),
    client: await clientOf(cert, key, env['TEEBOX_KEY_PASSPHRASE']),
    insecure,
  });
}

/** One file may have both, as many tools write it. */
async function clientOf(
  cert: string | undefined,
  key: string | undefined,
  passphrase: string | undefined,
): Promise<ClientCertificate | undefined> {
  if (cert === undefined) {
    if (key === undefined) return undefined;
    throw new UsageError('--key needs --cert FILE, the client certificate that belongs to it.');
  }
  const keyFile = key ?? cert;
  const client = defined({ cert: await readPem('cert', cert), key: await readPem('key', keyFile), passphrase });
  const fault = clientFault(client);
  if (fault === undefined) return client;
  throw new UsageError(`Failed to use --cert ${cert} with --key ${keyFile}: ${fault}.`);
}

const contents = {
  ca: { pattern: /-----BEGIN (TRUSTED )?CERTIFICATE-----/, name: 'certificate' },
  cert: { pattern: /-----BEGIN CERTIFICATE-----/, name: 'certificate' },
  key: { pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----/, name: 'private key' },
} as const;

/** @throws {UsageError} if the file cannot be read, or does not have what its flag is for. */
async function readPem(flag: keyof typeof contents, file: string): Promise<string> {
  const failure = (why: string): UsageError => new UsageError(`Failed to read --${flag} ${file}: ${why}`);
  const text = (await readText(file, LARGEST_PEM, failure)).toString();
  const { pattern, name } = contents[flag];
  if (pattern.test(text)) return text;
  throw failure(`it has no ${name} in PEM.`);
}

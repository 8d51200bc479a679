import { createPrivateKey, X509Certificate } from 'node:crypto';
import { type ConnectionOptions, rootCertificates } from 'node:tls';

/** Which servers of HTTPS are trusted, and how this machine proves who it is. */
export interface Trust {
  /** Certificates of authorities in PEM, trusted besides those of Node. */
  readonly ca?: string;
  /** Whether certificates are not verified. */
  readonly insecure?: boolean;
  readonly client?: ClientCertificate;
}

/** A client certificate with its chain, and its private key, both in PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
  /** Of an encrypted key. */
  readonly passphrase?: string;
}

/** The options of a connection to a deployment. */
export function trustOptions({ ca, insecure = false, client }: Trust): ConnectionOptions {
  return {
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    ...client,
    rejectUnauthorized: !insecure,
  };
}

/** What is wrong with a client certificate and its key, as a sentence; undefined if they belong together. */
export function clientFault({ cert, key, passphrase }: ClientCertificate): string | undefined {
  const isEncrypted = /ENCRYPTED/.test(key);
  if (isEncrypted && passphrase === undefined) return 'the key is encrypted: set TEEBOX_KEY_PASSPHRASE';
  try {
    const own = createPrivateKey({ key, ...(passphrase === undefined ? {} : { passphrase }) });
    return new X509Certificate(cert).checkPrivateKey(own) ? undefined : 'the key belongs to another certificate';
  } catch {
    return isEncrypted ? 'the key cannot be decrypted: check TEEBOX_KEY_PASSPHRASE' : 'they cannot be read as PEM';
  }
}

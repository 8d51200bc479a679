/** Why a request got no answer. */
interface ConnectionFault {
  /** What happened, with the code of the system. */
  readonly why: string;
  /** What to try, as a sentence; absent if nothing is known. */
  readonly hint?: string;
  /** Whether another attempt would end the same way. */
  readonly isFinal: boolean;
}

interface Told {
  readonly why: string;
  readonly hint?: string;
  readonly isFinal?: true;
}

const AUTHORITY = 'Pass the certificate of its authority with --ca FILE, or use --insecure.';
const OTHER_TLS = 'Compare the versions and ciphers of TLS that it accepts with those of this Node.';
const SECURE_PORT = 'If this port speaks TLS, start the URL with https://.';
const PLAIN_PORT = 'If this port speaks plain HTTP, start the URL with http://.';

/** What codes of Node, OpenSSL and `fetch` mean, in the order in which they are looked for. */
const faults: readonly (readonly [code: RegExp, told: (isSecure: boolean) => Told])[] = [
  [
    /^ECONNREFUSED$/,
    () => ({ why: 'nothing listens at that address', hint: 'Start the deployment, or correct the host and the port.' }),
  ],
  [
    /^ENOTFOUND$/,
    () => ({
      why: 'the host name is unknown',
      hint: 'Correct the host name, or join the network (such as a VPN) that knows it.',
    }),
  ],
  [
    /^EAI_/,
    () => ({
      why: 'the host name cannot be resolved now',
      hint: 'The name server does not answer: check the network of this machine or container, and try again.',
    }),
  ],
  [
    /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/,
    () => ({
      why: 'the connection timed out',
      hint: 'A firewall may drop it: check the port, the VPN and the proxy (HTTPS_PROXY).',
    }),
  ],
  [
    /^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/,
    () => ({ why: 'no route leads to that host', hint: 'Check the network and the VPN of this machine.' }),
  ],
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT(_LOCALLY)?|VERIFY_LEAF_SIGNATURE)|CERT_UNTRUSTED)$/,
    () => ({ why: 'no known authority has signed its certificate', hint: AUTHORITY, isFinal: true }),
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    () => ({
      why: 'its certificate is for another host name',
      hint: 'Use the name in the certificate; --insecure accepts any.',
      isFinal: true,
    }),
  ],
  [
    /^CERT_/,
    () => ({
      why: 'its certificate is not valid',
      hint: 'Renew it, and check the clock of this machine; --insecure accepts it.',
      isFinal: true,
    }),
  ],
  [
    /CERTIFICATE_REQUIRED/,
    () => ({
      why: 'it asks for a client certificate',
      hint: 'Pass one with --cert FILE and --key FILE.',
      isFinal: true,
    }),
  ],
  [
    /ALERT_(BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(REVOKED|EXPIRED|UNKNOWN)|UNKNOWN_CA|ACCESS_DENIED|DECRYPT_ERROR)/,
    () => ({
      why: 'it refuses the client certificate',
      hint: 'Pass one that its authority has signed, with the whole chain, with --cert FILE and --key FILE.',
      isFinal: true,
    }),
  ],
  [
    /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|RECORD_LAYER/,
    () => ({ why: 'it does not answer with TLS', hint: PLAIN_PORT, isFinal: true }),
  ],
  [
    /HANDSHAKE_FAILURE/,
    () => ({
      why: 'it ended the TLS handshake',
      hint: `If it asks for a client certificate, pass --cert FILE and --key FILE. ${OTHER_TLS}`,
      isFinal: true,
    }),
  ],
  [
    /UNRECOGNIZED_NAME/,
    () => ({ why: 'it has no certificate for this host name', hint: 'Correct the host name.', isFinal: true }),
  ],
  [
    /^(EPROTO|ERR_SSL_|ERR_TLS_)/,
    () => ({ why: 'the TLS handshake failed', hint: `${PLAIN_PORT} ${OTHER_TLS}`, isFinal: true }),
  ],
  [
    /^HPE_|^HTTPParserError$/,
    (isSecure) => ({ why: 'it did not answer with HTTP', ...(isSecure ? {} : { hint: SECURE_PORT }) }),
  ],
  [
    /^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET)$/,
    (isSecure) => ({
      why: 'the connection was closed without an answer',
      hint: isSecure
        ? 'A gateway may close it: it may ask for a client certificate (--cert, --key) or not know this host name.'
        : SECURE_PORT,
    }),
  ],
];

interface SystemError {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly cause?: SystemError;
  readonly errors?: readonly SystemError[];
}

/** Why a request got no answer, from what `fetch` or `node:http` throws. The code of OpenSSL is in its text only. */
export function connectionFault(error: unknown, isSecure: boolean): ConnectionFault {
  const given = error as SystemError;
  const { code = given.code, message = given.message ?? String(error), name } = given.cause ?? {};
  // Browsers and the `fetch` of Node do not connect to ports of other protocols.
  if (/^bad port$/.test(message)) {
    const hint = 'Browsers and `fetch` refuse this port, such as 6000: use another one.';
    return { why: 'the port is forbidden (bad port)', hint, isFinal: true };
  }
  // The parser of `fetch` gives no code in Node 24.
  const known = code ?? given.errors?.[0]?.code ?? (name === 'HTTPParserError' ? name : '');
  const detail = known === 'EPROTO' ? message.toUpperCase().replace(/[^A-Z\d]+/g, '_') : '';
  const told = faults.find(([pattern]) => pattern.test(known) || (detail !== '' && pattern.test(detail)))?.[1];
  // A host tells by this name that a proxy lets nothing through.
  if (!told) return { why: known === '' ? message : `${message} (${known})`, isFinal: given.name === 'ProxyError' };
  const { why, hint, isFinal = false } = told(isSecure);
  return { why: `${why} (${known})`, isFinal, ...(hint === undefined ? {} : { hint }) };
}

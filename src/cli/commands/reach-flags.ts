import { filePath, type Flags, type Reader, toggle, unquoted } from '../args.js';

/** A header by name and value. */
export type HeaderPair = readonly [name: string, value: string];

const header: Reader<HeaderPair> = {
  due: "a name and a value, such as 'X-Gateway-Key: value'",
  read(text) {
    const [, name, value] = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}):[ \t]*([\t\x20-\x7e\x80-\xff]+)$/.exec(text) ?? [];
    return name !== undefined && value !== undefined ? [name, value.trim()] : undefined;
  },
};

/** A user name and a password in one value. */
export const userAndPassword: Reader<{ username: string; password: string }> = {
  due: 'a user name and a password separated by a colon',
  read(text) {
    const pair = unquoted(text);
    const at = pair.indexOf(':');
    return at > 0 ? { username: pair.slice(0, at), password: pair.slice(at + 1) } : undefined;
  },
  guess(text) {
    const encoded = unquoted(text).replace(/^basic\s+/i, '');
    const isPair =
      /^[\w+/=-]+$/.test(encoded) &&
      /^[\x20-\x39\x3b-\x7e]+:[\x20-\x7e]+$/.test(Buffer.from(encoded, 'base64').toString());
    return isPair ? 'what this Base64 decodes to' : undefined;
  },
};

/** Flags of what lies between this machine and the deployment: gateways, proxies, certificates. */
export const reachFlags = {
  header: {
    value: "'NAME: VALUE'",
    repeatable: true,
    secret: true,
    help: 'a header for every request, such as the key of a gateway; reports mask its value; repeatable',
    ...header,
  },
  'gateway-basic': {
    inFile: true,
    value: 'USER:PASSWORD',
    secret: true,
    help: 'Basic credentials of a gateway in front of the service; the bearer token then needs another header (bearer-header)',
    ...userAndPassword,
  },
  ca: {
    value: 'FILE',
    env: ['TEEBOX_CA'],
    help: 'additional CA certificates to trust, in PEM, for a deployment with a private certificate authority',
    ...filePath,
  },
  cert: {
    value: 'FILE',
    env: ['TEEBOX_CERT'],
    help: 'the client certificate for a deployment that asks for one (mutual TLS), with its chain, in PEM',
    ...filePath,
  },
  key: {
    value: 'FILE',
    env: ['TEEBOX_KEY'],
    help: 'the private key of the client certificate, in PEM, with TEEBOX_KEY_PASSPHRASE if it is encrypted (the file of --cert)',
    ...filePath,
  },
  insecure: toggle('do not verify the certificate of the deployment', 'TEEBOX_INSECURE'),
} as const satisfies Flags;

import { filePath, type Flags, type Reader, toggle } from '../args.js';

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
    const at = text.indexOf(':');
    return at > 0 ? { username: text.slice(0, at), password: text.slice(at + 1) } : undefined;
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
    value: 'USER:PASSWORD',
    env: ['TEEBOX_GATEWAY_BASIC'],
    secret: true,
    help: 'Basic credentials of a gateway in front of the service; the bearer token then needs --bearer-header',
    ...userAndPassword,
  },
  ca: {
    value: 'FILE',
    env: ['TEEBOX_CA'],
    help: 'additional CA certificates to trust, in PEM, for a deployment with a private certificate authority',
    ...filePath,
  },
  insecure: toggle('do not verify the certificate of the deployment'),
} as const satisfies Flags;

import { decoded, isObject } from '../../../common/index.js';
import type { ObligationSpec } from '../obligation.js';
import { answerOf, type ClientCall, pathnameOf, requestJson } from '../traffic.js';

/** Shorter words occur in addresses by chance. */
const MIN_LENGTH = 8;
const scheme = /^(?:bearer|basic|token)\s+/i;

/** The secrets that a call sends or receives: tokens, passwords and Basic credentials. */
function secretsOf(call: ClientCall): readonly string[] {
  const { operation, headers } = call;
  const found: unknown[] = [];
  for (const [, value] of headers) {
    if (!scheme.test(value)) continue;
    const credentials = value.replace(scheme, '').trim();
    found.push(credentials, passwordOf(credentials));
  }
  if (operation === 'refreshToken') {
    const [sent, { data }] = [requestJson(call), answerOf(call)];
    if (isObject(sent)) found.push(sent['refresh_token']);
    if (isObject(data)) found.push(data['refresh_token'], data['access_token']);
  }
  return found.filter((one): one is string => typeof one === 'string' && one.length >= MIN_LENGTH);
}

function passwordOf(basic: string): string | undefined {
  try {
    const text = atob(basic);
    const colon = text.indexOf(':');
    return colon < 0 ? undefined : text.slice(colon + 1);
  } catch {
    return undefined;
  }
}

const JSON_TYPE = 'application/json';

export const contentType: ObligationSpec = {
  id: 'requests.content-type',
  watch: (sight) => ({
    call(call) {
      if (!call.body || !call.operation) return;
      const given = call.headers.get('content-type');
      if (given?.split(';')[0]!.trim().toLowerCase() === JSON_TYPE) return sight.met(call);
      const sent = given === null ? 'without a content type' : `with the content type \`${given.slice(0, 100)}\``;
      sight.broken({
        message: `${call.method} ${pathnameOf(call).slice(0, 200)} has a body ${sent}.`,
        expected: `Its header is \`Content-Type: ${JSON_TYPE}\`.`,
        evidence: [call],
      });
    },
  }),
};

/** Parameters that can only be secrets, whatever their value. */
const secretNames = new Set(['access_token', 'refresh_token', 'password']);
/** The newest secrets of a session that are looked for. */
const MAX_SECRETS = 100;

export const noSecretInUrl: ObligationSpec = {
  id: 'requests.no-secret-in-url',
  watch(sight) {
    const secrets = new Set<string>();
    return {
      call(call) {
        for (const secret of secretsOf(call)) {
          // Kept at the end, as the newest.
          secrets.delete(secret);
          secrets.add(secret);
        }
        for (const secret of secrets) {
          if (secrets.size <= MAX_SECRETS) break;
          secrets.delete(secret);
        }
        const found = placeOfSecret(call.path, secrets);
        if (found === undefined) {
          if (secrets.size > 0) sight.met(call);
          return;
        }
        sight.broken({
          message: `The URL of a ${call.method} request has a token or a password in ${found}.`,
          expected: 'Access tokens and passwords are in a header, refresh tokens in a JSON body.',
          evidence: [call],
        });
      },
    };
  },
};

/** Where a URL has a secret. */
function placeOfSecret(path: string, secrets: ReadonlySet<string>): string | undefined {
  const { pathname, searchParams } = new URL(`http://request.invalid${path}`);
  const has = (text: string): boolean => [...secrets].some((secret) => text.includes(secret));
  for (const [name, value] of searchParams) {
    if ((secretNames.has(name) && value !== '') || has(value)) return `the parameter \`${name.slice(0, 50)}\``;
  }
  return has(pathname) || has(decoded(pathname)) ? 'its path' : undefined;
}

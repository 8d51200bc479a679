import { isObject } from '../../../conformance/index.js';
import { answerOf, type ClientCall, requestJson } from '../traffic.js';

/** Shorter words occur in addresses by chance. */
const MIN_LENGTH = 8;
const scheme = /^(?:bearer|basic|token)\s+/i;

/** The secrets that a call sends or receives: tokens, passwords and Basic credentials. */
export function secretsOf(call: ClientCall): readonly string[] {
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

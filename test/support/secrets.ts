import type { Masker } from '../../src/common/index.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');
const escaped = (text: string, signs: RegExp, escape: (code: number) => string): string =>
  text.replaceAll(signs, (sign) => escape(sign.charCodeAt(0)));

/** The ways in which a run learns of a secret. */
export const planted: Readonly<Record<string, (masker: Masker, secret: string) => void>> = {
  'a credential of the options': (masker, secret) => masker.learn(secret),
  'a header of the options': (masker, secret) => masker.learnHeaders({ 'x-gate': secret }),
  'a password of Basic credentials': (masker, secret) =>
    masker.learnRequest(new Headers({ authorization: `Basic ${base64(`user:${secret}`)}` }), '/'),
  'a parameter of an address': (masker, secret) =>
    masker.learnRequest(new Headers(), `/api/v3/countries?access_token=${encodeURIComponent(secret)}`),
  'a parameter of an address in an address': (masker, secret) => {
    const inner = `https://shop.example/done?token=${encodeURIComponent(secret)}`;
    masker.learnRequest(new Headers(), `/api/v2/teetimes?callbackUrl=${encodeURIComponent(inner)}`);
  },
  'a password in an address': (masker, secret) =>
    masker.learnRequest(new Headers(), `https://user:${encodeURIComponent(secret)}@shop.example/`),
  'a member of a request': (masker, secret) =>
    masker.learnRequest(new Headers(), '/', JSON.stringify({ refresh_token: secret })),
  'a token of an answer': (masker, secret) =>
    masker.learnResponse(new Headers(), JSON.stringify({ data: { access_token: secret } })),
};

/** Every shape in which a deployment may send a secret back. */
export function echoes(secret: string): Readonly<Record<string, string>> {
  const json = JSON.stringify(secret).slice(1, -1);
  return {
    plain: secret,
    'JSON-escaped': json,
    'JSON in JSON': JSON.stringify(json).slice(1, -1),
    'percent-encoded': encodeURIComponent(secret),
    'percent-encoded in lower case': encodeURIComponent(secret).replaceAll(/%../g, (code) => code.toLowerCase()),
    'form-encoded': new URLSearchParams({ a: secret }).toString().slice(2),
    'encoded twice': encodeURIComponent(encodeURIComponent(secret)),
    Base64: base64(secret),
    'Base64 for addresses': Buffer.from(secret).toString('base64url'),
    hexadecimal: Buffer.from(secret).toString('hex'),
    'hexadecimal in capitals': Buffer.from(secret).toString('hex').toUpperCase(),
    'JSON as .NET escapes it': escaped(
      secret.replaceAll('\\', '\\\\'),
      /["&'+<>`]|[^ -~]/g,
      (code) => `\\u${hex(code, 4).toUpperCase()}`,
    ),
    'JSON as Gson escapes it': escaped(json, /[&'<=>]/g, (code) => `\\u${hex(code, 4)}`),
    'JSON of escapes only': escaped(secret, /[^]/g, (code) => `\\u${hex(code, 4)}`),
    'JSON of escapes in JSON': escaped(secret, /[^]/g, (code) => `\\\\u${hex(code, 4).toUpperCase()}`),
    'JavaScript of escapes': escaped(secret, /[ -~]/g, (code) => `\\x${hex(code, 2)}`),
    'percent codes only': [...Buffer.from(secret)].map((code) => `%${hex(code, 2)}`).join(''),
    'HTML as Mustache escapes it': escaped(secret, /[&<>"'/`=]/g, (code) => `&#x${hex(code, 2).toUpperCase()};`),
    'HTML of entities only': escaped(secret, /[^]/g, (code) => `&#${code};`),
    'HTML-escaped': secret
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
  };
}

/** Where some outputs contain secrets, in whatever shape: nowhere, if they are masked. */
export function leaksIn(outputs: Readonly<Record<string, string>>, secrets: Iterable<string>): readonly string[] {
  const shapes = [...secrets].flatMap((secret) => Object.entries(echoes(secret)));
  const found = Object.entries(outputs).flatMap(([output, text]) =>
    shapes.filter(([, echoed]) => text.includes(echoed)).map(([shape, echoed]) => `${output}: ${shape}: ${echoed}`),
  );
  return [...new Set(found)];
}

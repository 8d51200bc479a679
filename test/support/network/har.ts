type Json = Readonly<Record<string, unknown>>;
type Rule = (value: unknown, path: string) => string[];

const kind =
  (name: 'string' | 'number'): Rule =>
  (value, path) =>
    typeof value === name ? [] : [`${path} is not ${name}`];

const text = kind('string');
const number = kind('number');
const duration: Rule = (value, path) =>
  typeof value === 'number' && value >= 0 ? [] : [`${path} is not a number from 0 on`];
const instant: Rule = (value, path) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(value)
    ? []
    : [`${path} is no instant`];

const list =
  (rule: Rule): Rule =>
  (value, path) =>
    Array.isArray(value) ? value.flatMap((item, index) => rule(item, `${path}[${index}]`)) : [`${path} is not a list`];

/** Members that must be there; those whose names end in `?` may. Names of the format's users begin with `_`. */
function object(members: Readonly<Record<string, Rule>>): Rule {
  const names = Object.keys(members).map((name) => name.replace('?', ''));
  return (value, path) => {
    if (typeof value !== 'object' || value === null) return [`${path} is not an object`];
    const given = value as Json;
    const stray = Object.keys(given).filter((name) => !names.includes(name) && !name.startsWith('_'));
    const faults = Object.entries(members).flatMap(([key, rule]) => {
      const name = key.replace('?', '');
      if (given[name] === undefined) return key.endsWith('?') ? [] : [`${path}.${name} is missing`];
      return rule(given[name], `${path}.${name}`);
    });
    return [...faults, ...stray.map((name) => `${path}.${name} is not of the format`)];
  };
}

const pair = object({ name: text, value: text });
const cookie = object({ name: text, value: text });
const sizes = { headersSize: number, bodySize: number };
const request = object({
  method: text,
  url: (value, path) => (URL.canParse(String(value)) ? [] : [`${path} is not absolute`]),
  httpVersion: text,
  cookies: list(cookie),
  headers: list(pair),
  queryString: list(pair),
  'postData?': object({ mimeType: text, text }),
  ...sizes,
});
const response = object({
  status: number,
  statusText: text,
  httpVersion: text,
  cookies: list(cookie),
  headers: list(pair),
  content: object({ size: number, mimeType: text, 'text?': text, 'encoding?': text }),
  redirectURL: text,
  ...sizes,
});
const entry = object({
  startedDateTime: instant,
  time: duration,
  request,
  response,
  cache: object({}),
  timings: object({ send: duration, wait: duration, receive: duration }),
  'comment?': text,
});
const archive = object({
  log: object({
    version: (value, path) => (value === '1.2' ? [] : [`${path} is not 1.2`]),
    creator: object({ name: text, version: text }),
    entries: list(entry),
    'comment?': text,
  }),
});

/** What an HTTP Archive breaks of the rules of version 1.2. */
export function harFaults(har: unknown): string[] {
  return archive(har, '').map((fault) => fault.replace(/^\./, ''));
}

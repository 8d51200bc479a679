import { expect, test } from 'vitest';
import { type Hostility, hostileServer } from './hostile-server.js';

const page = (status: number, text: string, headers: Record<string, string> = {}): Hostility => {
  const type = { 'content-type': text.startsWith('{') ? 'application/json' : 'text/html', ...headers };
  return (response) => void response.writeHead(status, type).end(text);
};
const welcome = '<!doctype html><title>Welcome</title><style>p { color: red }</style><h1>It works!</h1>';
const login = { location: 'https://login.example.com/?next=%2F' };

test.each<[what: string, hostility: Hostility, verdict: string, words: RegExp]>([
  ['an HTML page', page(200, welcome), 'unreachable', /returns 200 and says "Welcome It works!"/],
  ['a page that is not found', page(404, '<h1>Not Found</h1>'), 'unreachable', /returns 404 and says "Not Found"/],
  ['a 404 in JSON', page(404, '{"error":"no route"}'), 'unreachable', /returns 404 and says/],
  ['a redirect', page(302, '', login), 'unreachable', /returns 302 with Location https:\/\/login\.example\.com\//],
  ['a redirect with a page', page(301, '<p>Moved</p>', login), 'unreachable', /returns 301 with Location .* "Moved"/],
  ['a 401 of a gateway', page(401, '<h1>Sign in</h1>'), 'refused', /perhaps by a gateway.* 401 and says "Sign in"/],
  ['a 403 of a gateway', page(403, '{"message":"Forbidden"}'), 'refused', /perhaps by a gateway.* 403 and says/],
  ['a 401 without a body', page(401, ''), 'refused', /perhaps by a gateway.* returns 401\. Check/],
  ['a 401 of the service', page(401, '{"success":false,"data":null}'), 'refused', /The credentials are refused: GET/],
  ['a 502', page(502, '<h1>Bad Gateway</h1>'), 'unreachable', /returns 502 and says "Bad Gateway"/],
  ['an error of its own', page(500, '{"success":false,"data":null}'), 'unreachable', /returns 500 and says/],
  ['plain text', page(200, `OK\u001b[2J\n${'x'.repeat(500)}`), 'unreachable', /says "OK \[2J x{90,}\.\.\."/],
  ['nothing', page(204, ''), 'unreachable', /GET \/api\/v3\/countries returns 204\. Check the base URL/],
])('%s at every path is not the service: exit code 3', async (_, hostility, verdict, words) => {
  const server = await hostileServer(hostility, 100);
  try {
    const report = await server.check({ timeout: 1_000_000 });
    expect(report).toMatchObject({ exitCode: 3, verdict, message: expect.stringMatching(words), rules: [] });
  } finally {
    await server.close();
  }
});

const notFound = page(404, '<h1>Not Found</h1>');
const refuses = page(401, '{"success":false,"data":null}');
const moved: Hostility = (response, _turn, { headers, url }) =>
  void response.writeHead(301, { location: `https://${headers.host}${url}` }).end();
const basic = (username: string, password: string) => ({ first: { basic: { username, password } } });

test.each<[what: string, hostility: Hostility, path: string, options: object, words: RegExp]>([
  ['/api', notFound, '/api', {}, /The base URL is too deep: leave out its \/api, as in http:\/\/127\.0\.0\.1:\d+\.$/],
  ['/api/v5', notFound, '/golf/api/v5/', {}, /leave out its \/api\/v5, as in http:\/\/127\.0\.0\.1:\d+\/golf\.$/],
  ['an operation', notFound, '/api/v3/countries', {}, /leave out its \/api\/v3\/countries, as in/],
  ['no path', notFound, '', {}, /Check the base URL: the service may be below a path, such as/],
  ['a wrong path', notFound, '/gold', {}, /Check the base URL: its path \/gold may be wrong\.$/],
  ['plain HTTP', page(400, 'The plain HTTP request was sent to HTTPS port'), '', {}, /Start the base URL with https/],
  ['a redirect to TLS', moved, '', {}, /Start the base URL with https:\/\/\.$/],
  ['no certificate', page(400, 'No required SSL certificate was sent'), '', {}, /client certificate.*--cert FILE/],
  ['a gateway that is down', page(503, 'no healthy upstream'), '', {}, /whether the service runs\.$/],
  ['a blank', refuses, '', basic('ann', 'secret '), /The password starts or ends with a blank\.$/],
  ['quotation marks', refuses, '', basic('ann', '"secret"'), /The password starts or ends with a quotation mark\.$/],
  ['a typographic one', refuses, '', basic('“ann', 'secret'), /The user name starts or ends with a quotation mark\.$/],
  [
    'a placeholder',
    refuses,
    '',
    basic('ann', '${PASSWORD}'),
    /password has a placeholder that nothing has replaced\.$/,
  ],
  ['no password', refuses, '', basic('ann', ''), /The password is empty\.$/],
  [
    'an accent',
    page(403, ''),
    '',
    basic('ann', 'sécret'),
    /The password has characters beyond ASCII, sent in UTF-8\.$/,
  ],
  ['nothing odd', refuses, '', basic('ann', 'secret'), /returns 401\.$/],
])(
  'the message says what is wrong with the base URL or the credentials: %s',
  async (_, hostility, path, options, words) => {
    const server = await hostileServer(hostility, 100);
    try {
      const report = await server.check({ timeout: 1_000_000, baseUrl: server.baseUrl + path, ...options });
      expect(report).toMatchObject({ exitCode: 3, message: expect.stringMatching(words) });
    } finally {
      await server.close();
    }
  },
);

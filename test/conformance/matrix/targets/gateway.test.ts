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

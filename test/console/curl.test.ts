import { expect, test } from 'vitest';
import { curlCommand, type ShellRequest } from '../../src/common/curl.js';

test.each<[request: ShellRequest, command: string]>([
  [{ method: 'GET', url: 'http://127.0.0.1:1/a' }, 'curl http://127.0.0.1:1/a'],
  [{ method: 'GET', url: 'http://h/a?b=1&c=2' }, "curl 'http://h/a?b=1&c=2'"],
  [{ method: 'POST', url: 'http://h/a' }, 'curl -X POST http://h/a'],
  [{ method: 'POST', url: 'http://h/a', body: '{}' }, "curl http://h/a --data-raw '{}'"],
  [{ method: 'PUT', url: 'http://h/a', body: "it's" }, "curl -X PUT http://h/a --data-raw 'it'\\''s'"],
  [{ method: 'HEAD', url: 'http://h/a' }, 'curl -I http://h/a'],
  [{ method: 'GET', url: 'http://h/a', user: 'me:a b' }, "curl -u 'me:a b' http://h/a"],
  [
    { method: 'GET', url: 'http://h/a', headers: ['Authorization: Bearer $TEEBOX_ADMIN_TOKEN'] },
    'curl http://h/a -H "Authorization: Bearer $TEEBOX_ADMIN_TOKEN"',
  ],
  [{ method: 'GET', url: 'http://h/a', headers: ['X: $(rm -r /) $HOME'] }, "curl http://h/a -H 'X: $(rm -r /) $HOME'"],
])('%j', (request, command) => {
  expect(curlCommand(request)).toBe(command);
});

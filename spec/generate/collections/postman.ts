import type { Collection, Folder, Request, Variable } from './model.js';
import { fileName } from './model.js';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** What the scripts of requests call, in the words of Postman. */
const words: Readonly<Record<string, string>> = {
  get: 'const get = (name) => pm.variables.get(name);',
  set: 'const set = (name, value) => pm.collectionVariables.set(name, value);',
  keep: 'const keep = (name, value) => pm.environment.set(name, value);',
  wait: 'const wait = (milliseconds) => setTimeout(() => {}, milliseconds);',
  skip: 'const skip = () => pm.execution.skipRequest();',
  send: `const send = (path, then) => pm.sendRequest({
  url: pm.variables.get('baseUrl') + path,
  header: { Authorization: \`Bearer \${pm.environment.get('accessToken')}\` },
}, (error, response) => {
  if (error) throw error;
  then(response.json());
});`,
  check: 'const check = pm.test;',
  expect: 'const expect = pm.expect;',
};

/** Runs before every request. */
const tokens = `// Trades the refresh token if there is no access token, or if it expires within 30 seconds. A refresh token works
// once, so the new one is kept in the environment. A local sandbox also takes its initial token when it was started again.
const valid = pm.environment.get('accessToken') && Date.now() < Number(pm.environment.get('accessTokenExpires')) - 30000;
const trade = ([token, ...others]) => {
  if (!token) throw new Error('The refresh token was refused. Put a new one into the variable refreshToken of the environment.');
  pm.sendRequest({
    url: pm.variables.get('baseUrl') + '/api/v5/token/refreshToken',
    method: 'POST',
    header: { 'Content-Type': 'application/json' },
    body: { mode: 'raw', raw: JSON.stringify({ refresh_token: token }) },
  }, (error, response) => {
    if (error) throw error;
    const { success, data } = response.json();
    if (!success) return trade(others);
    pm.environment.set('refreshToken', data.refresh_token);
    pm.environment.set('accessToken', data.access_token);
    pm.environment.set('accessTokenExpires', String(Date.now() + data.expires_in * 1000));
  });
};
const needed = !pm.request.url.getPath().match(/\\/token\\/refreshToken$|^\\/__admin\\//);
if (needed && !valid) {
  const known = [pm.environment.get('refreshToken'), pm.environment.get('initialRefreshToken')];
  trade([...new Set(known)].filter((token) => token));
}`;

/** Runs after every request. */
const refused = `// An access token that was refused is dropped, so that the next request trades the refresh token.
if (pm.response.code === 401) pm.environment.unset('accessToken');`;

/** The files of the collection for Postman, by name. */
export function postmanFiles(collection: Collection): Record<string, string> {
  const { name, description, folders, variables, environments } = collection;
  const json = {
    info: { _postman_id: idOf(name), name, description, schema: SCHEMA },
    item: folders.map(folderItem),
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{accessToken}}', type: 'string' }] },
    event: [event('prerequest', tokens), event('test', refused)],
    variable: variables.map(({ name: key, value }) => ({ key, value })),
  };
  return Object.fromEntries([
    ['teebox.postman_collection.json', text(json)],
    ...environments.map((one) => [`${fileName(one.name)}.postman_environment.json`, text(environmentOf(one))]),
  ]) as Record<string, string>;
}

function text(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function folderItem({ name, description, folders = [], requests = [] }: Folder): object {
  return { name, description, item: [...folders.map(folderItem), ...requests.map(requestItem)] };
}

function requestItem(request: Request): object {
  const { name, before, answer } = request;
  const events = [...(before ? [event('prerequest', withWords(before))] : []), event('test', testsOf(request))];
  return { name, event: events, request: sent(request), response: answer ? [exampleOf(request)] : [] };
}

function sent({ description, method, path, query, body, auth, scenario, struck }: Request): object {
  const headers = [
    ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
    { key: 'Teebox-Scenario', value: scenario, ...(!struck && { disabled: true }) },
  ];
  const raw = query.length === 0 ? '' : `?${query.map(([name, value]) => `${name}=${value}`).join('&')}`;
  return {
    ...(!auth && { auth: { type: 'noauth' } }),
    method,
    header: headers,
    ...(body !== undefined && { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }),
    url: {
      raw: `{{baseUrl}}${path}${raw}`,
      host: ['{{baseUrl}}'],
      path: path.split('/').slice(1),
      ...(query.length > 0 && { query: query.map(([key, value]) => ({ key, value })) }),
    },
    description,
  };
}

function testsOf({ wanted, after }: Request): string {
  const { status, success } = wanted;
  const lines = [
    'const body = pm.response.json();',
    `pm.test('status is ${status}', () => pm.expect(pm.response.code).to.equal(${status}));`,
  ];
  if (success !== undefined)
    lines.push(`pm.test('success is ${success}', () => pm.expect(body.success, body.message).to.equal(${success}));`);
  return [...lines, ...(after ? [withWords(after)] : [])].join('\n');
}

function withWords(script: string): string {
  const used = Object.entries(words).filter(([name]) => new RegExp(`(?<![.\\w])${name}\\(`).test(script));
  return [...used.map(([, line]) => line), script].join('\n');
}

function event(listen: 'prerequest' | 'test', script: string): object {
  return { listen, script: { type: 'text/javascript', exec: script.split('\n') } };
}

function exampleOf(request: Request): object {
  const { wanted, answer } = request;
  return {
    name: wanted.success ? 'Answer of the sandbox' : 'Failure',
    originalRequest: sent(request),
    status: wanted.success ? 'OK' : '',
    code: wanted.status,
    _postman_previewlanguage: 'json',
    header: [{ key: 'Content-Type', value: 'application/json' }],
    cookie: [],
    body: JSON.stringify(answer, null, 2),
  };
}

function environmentOf({ name, variables }: { name: string; variables: readonly Variable[] }): object {
  const values = variables.map(({ name: key, value, secret }) => {
    return { key, value, type: secret ? 'secret' : 'default', enabled: true };
  });
  return { id: idOf(name), name, values, _postman_variable_scope: 'environment' };
}

/** An id that stays the same: importing the collection again replaces it. */
function idOf(name: string): string {
  const letters = [...name].map((letter) => letter.charCodeAt(0).toString(16).padStart(2, '0'));
  const digits = letters.join('').padEnd(32, '0').slice(0, 32);
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

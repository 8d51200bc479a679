import { type Collection, fileName, type Folder, type Request, type Variable } from './model.js';

/** What the scripts of requests call, in the words of Bruno. */
const words: Readonly<Record<string, string>> = {
  get: 'const get = (name) => bru.getVar(name) ?? bru.getEnvVar(name) ?? bru.getCollectionVar(name);',
  set: 'const set = (name, value) => bru.setVar(name, value);',
  keep: 'const keep = (name, value) => bru.setEnvVar(name, value, { persist: true });',
  wait: 'const wait = (milliseconds) => bru.sleep(milliseconds);',
  skip: 'const skip = () => bru.runner.skipRequest();',
  send: `const send = async (path, then) => {
  const headers = { Authorization: \`Bearer \${bru.getEnvVar('accessToken')}\` };
  then((await bru.sendRequest({ method: 'GET', url: bru.getEnvVar('baseUrl') + path, headers })).data);
};`,
  check: 'const check = test;',
};

/** Runs before every request. */
const tokens = `// Trades the refresh token if there is no access token, or if it expires within 30 seconds. A refresh token works
// once, so the new one is kept in the environment. A local sandbox also takes its initial token when it was started again.
const valid = bru.getEnvVar('accessToken') && Date.now() < Number(bru.getEnvVar('accessTokenExpires')) - 30000;
const needed = !/\\/token\\/refreshToken$|\\/__admin\\//.test(req.getUrl());
if (needed && !valid) {
  const known = [bru.getEnvVar('refreshToken'), bru.getEnvVar('initialRefreshToken')];
  let traded = false;
  for (const token of [...new Set(known)].filter((one) => one)) {
    let answer;
    try {
      answer = await bru.sendRequest({
        method: 'POST',
        url: bru.getEnvVar('baseUrl') + '/api/v5/token/refreshToken',
        headers: { 'Content-Type': 'application/json' },
        data: { refresh_token: token },
      });
    } catch (error) {
      if (!error.status && !error.response) throw error; // The service was not reached.
      continue;
    }
    const { success, data } = answer.data;
    if (!success) continue;
    bru.setEnvVar('refreshToken', data.refresh_token, { persist: true });
    bru.setEnvVar('accessToken', data.access_token, { persist: true });
    bru.setEnvVar('accessTokenExpires', String(Date.now() + data.expires_in * 1000), { persist: true });
    traded = true;
    break;
  }
  if (!traded) throw new Error('The refresh token was refused. Put a new one into the variable refreshToken of the environment.');
}`;

/** Runs after every request. */
const refused = `// An access token that was refused is dropped, so that the next request trades the refresh token.
if (res.getStatus() === 401) bru.setEnvVar('accessToken', '', { persist: true });`;

/** The files of the collection for Bruno, by folder and name. */
export function brunoFiles({ name, description, folders, variables, environments }: Collection): Files {
  const config = { version: '1', name, type: 'collection', ignore: ['node_modules', '.git'] };
  const collection = [
    block('meta', pairs({ name })),
    block('auth', pairs({ mode: 'bearer' })),
    block('auth:bearer', pairs({ token: '{{accessToken}}' })),
    block('vars:pre-request', vars(variables)),
    block('script:pre-request', tokens),
    block('script:post-response', refused),
    block('docs', description),
  ];
  return {
    '': { 'bruno.json': `${JSON.stringify(config, null, 2)}\n`, 'collection.bru': blocks(collection) },
    environments: Object.fromEntries(
      environments.map((one) => [`${fileName(one.name)}.bru`, environment(one.variables)]),
    ),
    ...Object.assign({}, ...folders.map((folder, index) => folderFiles(folder, '', index + 1))),
  };
}

/** Texts by folder, from the root of the collection, and by name. */
type Files = Readonly<Record<string, Readonly<Record<string, string>>>>;

function folderFiles({ name, description, folders = [], requests = [] }: Folder, above: string, seq: number): Files {
  const path = above + fileName(name);
  const own = blocks([
    block('meta', pairs({ name, seq })),
    block('auth', pairs({ mode: 'inherit' })),
    block('docs', description),
  ]);
  const files = requests.map((request, index) => [`${fileName(request.name)}.bru`, requestFile(request, index + 1)]);
  const inner = folders.map((folder, index) => folderFiles(folder, `${path}/`, index + 1));
  return { [path]: { 'folder.bru': own, ...Object.fromEntries(files) }, ...Object.assign({}, ...inner) };
}

function requestFile(request: Request, seq: number): string {
  const { name, description, method, path, query, body, auth, scenario, struck, before, answer } = request;
  const url = `{{baseUrl}}${path}${query.length === 0 ? '' : `?${query.map((pair) => pair.join('=')).join('&')}`}`;
  const headers = [
    ...(body === undefined ? [] : ['Content-Type: application/json']),
    `${struck ? '' : '~'}Teebox-Scenario: ${scenario}`,
  ];
  const example = answer === undefined ? '' : `\n\n\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\``;
  return blocks([
    block('meta', pairs({ name, type: 'http', seq })),
    block(
      method.toLowerCase(),
      pairs({ url, body: body === undefined ? 'none' : 'json', auth: auth ? 'inherit' : 'none' }),
    ),
    query.length === 0 ? '' : block('params:query', pairs(Object.fromEntries(query))),
    block('headers', headers.join('\n')),
    body === undefined ? '' : block('body:json', body),
    before === undefined ? '' : block('script:pre-request', withWords(before)),
    block('tests', testsOf(request)),
    block('settings', pairs({ encodeUrl: 'true', timeout: 0 })),
    block('docs', description + example),
  ]);
}

function testsOf({ wanted, after }: Request): string {
  const { status, success } = wanted;
  const lines = [
    'const body = res.getBody();',
    `test('status is ${status}', () => expect(res.getStatus()).to.equal(${status}));`,
  ];
  if (success !== undefined)
    lines.push(`test('success is ${success}', () => expect(body.success, body.message).to.equal(${success}));`);
  return [...lines, ...(after ? [withWords(after)] : [])].join('\n');
}

function withWords(script: string): string {
  const used = Object.entries(words).filter(([name]) => new RegExp(`(?<![.\\w])${name}\\(`).test(script));
  return [...used.map(([, line]) => line), script.replaceAll(/^(send|wait)\(/gm, 'await $1(')].join('\n');
}

function environment(variables: readonly Variable[]): string {
  const secrets = variables.filter(({ secret }) => secret).map(({ name }) => `  ${name}`);
  const own = block('vars', vars(variables.filter(({ secret }) => !secret)));
  return secrets.length === 0 ? `${own}\n` : `${own}\nvars:secret [\n${secrets.join(',\n')}\n]\n`;
}

function vars(variables: readonly Variable[]): string {
  return variables.map(({ name, value }) => `${name}: ${value}`).join('\n');
}

function pairs(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function block(name: string, text: string): string {
  return `${name} {\n${text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')}\n}`;
}

function blocks(texts: readonly string[]): string {
  return `${texts.filter((text) => text !== '').join('\n\n')}\n`;
}

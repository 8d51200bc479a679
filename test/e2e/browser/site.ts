import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { build, type Plugin } from 'esbuild';
import type { Corpus } from './page.js';

/** What the page may do: its own scripts alone, no code made at run time, and calls to two partners. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "connect-src 'self' https://api.partner.example https://partner.example",
].join('; ');

export interface Site {
  readonly url: string;
  close(): void;
}

/** The project whose msw the page has: this one, or another. */
const { TEEBOX_MSW: folder } = process.env;
const manifest = folder ? `${folder}/package.json` : import.meta.url;

const chosenMsw: Plugin = {
  name: 'chosen-msw',
  setup({ onResolve, resolve }) {
    if (!folder) return;
    onResolve({ filter: /^msw(\/|$)/ }, ({ path, kind, pluginData }) =>
      pluginData === chosenMsw ? undefined : resolve(path, { kind, resolveDir: folder, pluginData: chosenMsw }),
    );
  },
};

/** The page as a bundler makes it. */
async function bundlePage(): Promise<Uint8Array> {
  const entry = new URL('page.ts', import.meta.url).pathname;
  const common = { bundle: true, format: 'esm', platform: 'browser', target: 'es2022', write: false } as const;
  const { outputFiles } = await build({ ...common, entryPoints: [entry], plugins: [chosenMsw] });
  return outputFiles[0]!.contents;
}

/** A partner's web server: a page under a strict policy, its script, the worker of msw and what to send. */
export async function startSite(corpus: Corpus): Promise<Site> {
  const worker = createRequire(manifest).resolve('msw/mockServiceWorker.js');
  const files: Readonly<Record<string, readonly [type: string, content: string | Uint8Array]>> = {
    '/': ['text/html', '<!doctype html><title>Partner</title><script type="module" src="/page.js"></script>'],
    '/page.js': ['text/javascript', await bundlePage()],
    '/corpus.json': ['application/json', JSON.stringify(corpus)],
    '/mockServiceWorker.js': ['text/javascript', readFileSync(worker)],
  };
  const server = createServer((request, response) => {
    const [type, content] = files[request.url!.replace(/\?.*/, '')] ?? ['text/plain', undefined];
    const headers = { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': POLICY };
    response.writeHead(content === undefined ? 404 : 200, headers).end(content);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close };
}

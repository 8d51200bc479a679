import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { project, root } from '../../../../docs/.vitepress/project.js';

const docs = join(root, 'docs');

/** The folder of the built site. */
export const built = join(docs, '.vitepress/dist');

/**
 * Builds the site; gives back what the build printed.
 *
 * @throws {Error} when it fails, or when its tools are not installed.
 */
export async function buildSite(): Promise<string> {
  if (!existsSync(join(docs, 'node_modules/vitepress')))
    throw new Error('Failed to build the site: its tools are not installed. Please run `npm --prefix docs ci` first.');
  // In an environment without that of the test runner, which asks for the development build of Vue.
  const env = { ...process.env, NODE_ENV: undefined, VITEST: undefined };
  const { stdout, stderr } = await promisify(execFile)('npm', ['--prefix', docs, 'run', 'build'], { env });
  return stdout + stderr;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
};

/** The file of an address, as a host of static pages finds it: `/failures` is `failures.html`. */
function fileOf(pathname: string): string | undefined {
  if (!pathname.startsWith(project.base)) return undefined;
  const path = join(built, decodeURIComponent(pathname.slice(project.base.length)));
  return [path, `${path}.html`, join(path, 'index.html')].find((file) => existsSync(file) && statSync(file).isFile());
}

/** Serves the built site below its base, as it is published. */
export async function serveSite(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    const file = fileOf(new URL(request.url!, 'http://site.test').pathname);
    const headers = { 'content-type': `${types[extname(file ?? '.html')] ?? 'text/plain'}; charset=utf-8` };
    response.writeHead(file ? 200 : 404, headers).end(readFileSync(file ?? join(built, '404.html')));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${project.base}`, close };
}

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startCli } from '../../../support/network/process.js';
import { checkedBlocks } from './exceptions.js';
import { allBlocks, inlineCurls } from './pages.js';
import { commandsOf } from './shell.js';

const blocks = checkedBlocks(allBlocks(), 'curl', ['sh']).filter(({ code }) =>
  commandsOf(code).some(([first]) => first === 'curl'),
);
const pages = [...new Set(blocks.map(({ page }) => page))];

/** What a page takes for done: a booking, as the README makes it. */
const booking = allBlocks().filter(
  ({ page, code }) => page === 'README.md' && /token\/refreshToken|cat > booking\.json/.test(code),
);
const before: Readonly<Record<string, typeof booking>> = { 'docs/admin-api.md': booking };

/** What a block does beside teebox itself and the tools of the project, which have tests of their own. */
function withoutTeebox(code: string): string {
  return code.replaceAll(/^(?:[A-Z_]+=\S+ )*(?:npx )?(?:teebox|npm) .*(?:\\\n.*)*$/gm, '');
}

/** Runs commands against a sandbox in its initial state. A status of 400 or more is a failure. */
async function run(page: string, codes: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'teebox-curl-'));
  const server = await startCli();
  const script = ['set -e', 'curl() { command curl -sS --fail-with-body --max-time 30 "$@"; }', ...codes]
    .join('\n')
    .replaceAll('http://127.0.0.1:4653', server.baseUrl);
  try {
    await promisify(execFile)('sh', ['-c', script], { cwd: folder });
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    expect.fail(`${page}: ${stderr}${stdout}`);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

test.each(pages)('%s: every curl succeeds against a sandbox in its initial state, in order', async (page) => {
  const own = blocks.filter((block) => block.page === page);
  await run(
    page,
    [...(before[page] ?? []), ...own].map(({ code }) => withoutTeebox(code)),
  );
});

test.each(inlineCurls())('$page: $code succeeds', ({ page, code }) => run(page, [code]));

import { pageBlock } from './page-block.js';
import type { Project } from './project.js';

/** The runners of tests that `teebox init` knows. */
export type ToolName = 'vitest' | 'jest' | 'playwright';

const vitest = `import { test } from 'teebox/vitest';
import { expect } from 'vitest';

test('the channel has bookings', async ({ sandbox }) => {
  const { username, password } = sandbox.channels[0]!;
  const authorization = \`Basic \${btoa(\`\${username}:\${password}\`)}\`;
  const response = await sandbox.fetch('http://sandbox.test/api/v4/bookings', { headers: { authorization } });
  const { success, data } = await response.json();
  expect(success).toBe(true);
  expect(data).not.toEqual([]);
});
`;

// It needs neither a page nor a browser, so that it passes before somebody has changed it.
const playwright = `import { expect, test as base } from '@playwright/test';
import { type SandboxWorlds, sandboxWorlds } from 'teebox/playwright';

const test = base.extend<SandboxWorlds>(sandboxWorlds);

test('the service is down', async ({ request, world }) => {
  await world.admin.arm('maintenance', { operation: 'listCountries' });
  // Your page instead: \`page.goto\` with world.baseUrl as the address of the service.
  const response = await request.get(\`\${world.baseUrl}/api/v3/countries\`);
  expect(response.status()).toBe(503);
  await world.admin.verify({ operation: 'listCountries', scenario: 'maintenance' });
});
`;

/** The text of a file for a tool: in the language of its name, and with the modules that the other tests use. */
export async function textOf(
  name: ToolName,
  path: string,
  { manifest, tests }: Project,
  others: readonly string[],
): Promise<string> {
  const typescript = /\.[cm]?tsx?$/.test(path);
  if (name !== 'jest') return typescript ? texts[name] : plain(texts[name]);
  if (path === 'jest.config.cjs') return pageBlock('frameworks.md', '`jest.config.js`:', 'js');
  const commonjs = await pageBlock('frameworks.md', '`booking.test.js`:', 'js');
  const like = tests.find((test) => test.path === others[0])?.text ?? '';
  const imports = /^import\b/m.test(like) || (!/\brequire\(/.test(like) && manifest.type === 'module');
  const globals = like.includes('@jest/globals')
    ? `import { afterEach, beforeAll, expect, test } from '@jest/globals';\n`
    : '';
  if (!typescript && !path.endsWith('.mjs') && (path.endsWith('.cjs') || !imports)) return commonjs;
  const modules = globals + commonjs.replace(/^const (.*) = require\((.*)\);$/m, 'import $1 from $2;');
  if (!typescript) return modules;
  return modules
    .replace('{ createSandbox }', '{ createSandbox, type Sandbox }')
    .replace('let sandbox;', 'let sandbox: Sandbox;')
    .replace('channels[0]', 'channels[0]!');
}

const texts = { vitest, playwright } as const;

/** The same in JavaScript. */
function plain(text: string): string {
  return text.replaceAll('type SandboxWorlds, ', '').replaceAll('<SandboxWorlds>', '').replaceAll(']!', ']');
}

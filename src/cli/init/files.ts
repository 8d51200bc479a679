import { packageFile } from '../package-files.js';

/** What `teebox init` can set a project up for, with what its files need next. */
export const kinds = {
  vitest: { asks: 'Unit tests with Vitest', next: 'npm install --save-dev vitest, then npx vitest run' },
  jest: {
    asks: 'Unit tests with Jest',
    next: 'npm install --save-dev jest @babel/core @babel/preset-env, then npx jest',
  },
  playwright: {
    asks: 'End-to-end tests with Playwright',
    next: 'add the address of your page to `use` in playwright.config.ts, as baseURL; the page reads the base URL of the service from ?api=; then npx --no-install teebox exec -- npx playwright test',
  },
  github: {
    asks: 'A check of a deployment in GitHub Actions',
    next: 'put user:password of a sales channel into the secret TEEBOX_BASIC',
  },
  gitlab: {
    asks: 'A check of a deployment in GitLab CI/CD',
    next: 'put user:password of a sales channel into the masked variable TEEBOX_BASIC; if .gitlab-ci.yml was kept, add .gitlab/teebox.yml to its `include`',
  },
} as const;

export type Kind = keyof typeof kinds;

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

/** A block of code of a page of the package, by the words before it. */
async function block(page: string, before: string, language: string): Promise<string> {
  const text = (await packageFile(`dist/docs/${page}`)).toString();
  const start = text.indexOf(`\`\`\`${language}\n`, text.indexOf(before));
  const code = text.slice(start + language.length + 4);
  return code.slice(0, code.indexOf('```'));
}

/** The files of a kind, by their path. The pages have them too, and the tests of the pages run them. */
export async function filesOf(kind: Kind, url: string): Promise<Readonly<Record<string, string>>> {
  if (kind === 'vitest') return { 'teebox.test.ts': vitest };
  if (kind === 'jest') {
    const of = (name: string) => block('frameworks.md', `\`${name}\`:`, 'js');
    return {
      'babel.config.cjs': await of('babel.config.js'),
      'jest.config.cjs': await of('jest.config.js'),
      'teebox.test.cjs': await of('booking.test.js'),
    };
  }
  if (kind === 'playwright') {
    const of = (name: string) => block('end-to-end.md', `\`${name}\`:`, 'ts');
    return { 'playwright.config.ts': await of('playwright.config.ts'), 'teebox.spec.ts': await of('booking.spec.ts') };
  }
  const job = await block('conformance.md', kind === 'github' ? '## In CI' : 'On GitLab', 'yaml');
  const own = job.replace(' --known known.json', '').replace('https://staging.example.com', () => url);
  if (kind === 'github') return { '.github/workflows/teebox.yml': own };
  return { '.gitlab/teebox.yml': own, '.gitlab-ci.yml': 'include: .gitlab/teebox.yml\n' };
}

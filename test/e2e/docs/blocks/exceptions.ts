import type { Block } from './pages.js';

const program = 'run by test/e2e/docs/quick-starts, or parsed by test/e2e/docs/testcontainers';

/** How the blocks of each language are checked. Output is shown, and no code. */
export const languages: Readonly<Record<string, string>> = {
  '': 'output, or a drawing',
  text: 'output, or a drawing',
  json: 'parsed, and read as what it is (data.test.ts)',
  yaml: 'parsed, and read as what it is (data.test.ts)',
  sh: 'commands of teebox and npm are read (commands.test.ts), and curl is run (curl.test.ts)',
  ts: 'checked with the types of the package (types.test.ts)',
  js: 'checked with the types of the package (types.test.ts)',
  mjs: 'checked with the types of the package (types.test.ts)',
  csharp: program,
  go: program,
  java: program,
  php: program,
  python: program,
};

type Check = 'types' | 'curl' | 'commands' | 'data';

/** Blocks that a check leaves out, with the reason. */
interface Exception {
  readonly check: Check;
  /** Without it, any page. */
  readonly page?: string;
  /** Words of the block; without them, all blocks of the page. */
  readonly has?: string;
  readonly why: string;
}

const elsewhere = 'is run by test/examples/pages.test.ts, in order';

export const exceptions: readonly Exception[] = [
  { check: 'curl', page: 'README.md', why: elsewhere },
  { check: 'curl', page: 'docs/failures.md', has: 'curl -si', why: elsewhere },
  { check: 'curl', page: 'docs/operations.md', why: 'is run by test/e2e/docs/operations' },
  { check: 'curl', page: 'docs/quick-starts/curl.md', why: 'is run by test/e2e/docs/quick-starts' },
  { check: 'commands', page: 'docs/quick-starts/curl.md', has: 'done\n', why: 'is run by test/e2e/docs/quick-starts' },
  { check: 'curl', page: 'docs/hosting.md', why: 'calls the API of a host of worlds, which test/hosted runs' },
  { check: 'curl', page: 'docs/facilities.md', has: 'BOOKING_ID', why: 'names a booking of the reader' },
  { check: 'types', has: "from '@playwright/test'", why: 'is run by test/e2e/package/playwright.test.ts' },
  { check: 'types', page: 'docs/explore.md', has: 'query(', why: 'is plain JavaScript, without types' },
  { check: 'types', has: "from 'cypress'", why: 'needs Cypress, which downloads a browser' },
  { check: 'types', page: 'docs/frameworks.md', why: 'has the globals and modules of its frameworks' },
  { check: 'types', has: 'cy.task', why: 'needs Cypress, which downloads a browser' },
  { check: 'types', has: "from 'testcontainers'", why: 'is checked by test/e2e/docs/testcontainers' },
];

export function matches({ page, has = '' }: Exception, block: Block): boolean {
  return (page === undefined || page === block.page) && block.code.includes(has);
}

/** The blocks that a check is about, without its exceptions. */
export function checkedBlocks(blocks: readonly Block[], check: Check, ofLanguages: readonly string[]): Block[] {
  const own = exceptions.filter((one) => one.check === check);
  return blocks.filter((block) => ofLanguages.includes(block.language) && !own.some((one) => matches(one, block)));
}

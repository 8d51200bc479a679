const results = process.env['TEEBOX_TEST_RESULTS'];

/** Prints the run, and writes its results as JSON to the file that TEEBOX_TEST_RESULTS names. */
const reporters: [name: string, options: Record<string, unknown>][] = [
  ['default', {}],
  ...(results ? [['json', { outputFile: results }] as [string, Record<string, unknown>]] : []),
];

/** What every configuration has. With TEEBOX_TENTH, a run is one of ten, as the gate chooses by the commit. */
export const shared = {
  root: new URL('../../..', import.meta.url).pathname,
  reporters,
  // How long `expect.poll` waits for what must happen: nearly as long as a test may take. A machine that is busy with
  // something else makes a test slow, and never red.
  expect: { poll: { timeout: 100_000, interval: 20 } },
  // What was transformed is kept in node_modules, by its content: every run but the first saves most of that time.
  experimental: { fsModuleCache: true },
  tags: [
    {
      name: 'slow',
      // It takes up to ten times as long as others, and on a machine that is busy with something else no less.
      timeout: 600_000,
      description: 'Needs seconds. `npm test` and the gate leave it out; `npm test -- WING` and `test:all` run it.',
    },
    { name: 'always', description: 'Runs at every commit, whichever tenth of the others does.' },
  ],
  ...(process.env['TEEBOX_TENTH'] ? { runner: new URL('tenth.ts', import.meta.url).pathname } : {}),
};

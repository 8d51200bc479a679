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
  tags: [
    { name: 'slow', description: 'Needs seconds. `npm test` leaves it out; `npm test -- WING` and `test:all` run it.' },
    { name: 'always', description: 'Runs at every commit, whichever tenth of the others does.' },
  ],
  ...(process.env['TEEBOX_TENTH'] ? { runner: new URL('tenth.ts', import.meta.url).pathname } : {}),
};

const results = process.env['TEEBOX_TEST_RESULTS'];

/** Prints the run, and writes its results as JSON to the file that TEEBOX_TEST_RESULTS names. */
export const reporters: [name: string, options: Record<string, unknown>][] = [
  ['default', {}],
  ...(results ? [['json', { outputFile: results }] as [string, Record<string, unknown>]] : []),
];

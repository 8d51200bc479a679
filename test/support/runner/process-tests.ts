/**
 * Tests that start the command again and again, or kill it. They wait for processes, and take as long as a third of all
 * others together, so `npm test` leaves them out. `npm run test:processes` runs them.
 */
export const processTests = [
  'test/node/{check,check-config,exec,network-process,replay-capsule}.test.ts',
  'test/node/commands/command-line.test.ts',
  'test/node/mcp/process.test.ts',
  'test/node/network/reach.test.ts',
  'test/node/state/{callbacks,kills,secret-files,state-file,state-lock,stop}.test.ts',
  'test/node/token-file/kills.test.ts',
  'test/certify/process.test.ts',
  'test/examples/{action,ci}.test.ts',
];

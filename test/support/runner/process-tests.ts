/**
 * Tests that start the command again and again, or kill it. They wait for processes, and take as long as half of all
 * others together, so `npm test` leaves them out. `npm run test:processes` runs them.
 */
export const processTests = [
  'test/cli/{check,check-config,cli,exec,explore,full-output,init,memory,network-process,replay-capsule,serve,serve-scenarios}.test.ts',
  'test/cli/commands/command-line.test.ts',
  'test/cli/admin-token/admin-token.test.ts',
  'test/cli/mcp/{certify,files,process}.test.ts',
  'test/cli/network/reach.test.ts',
  'test/cli/state/{callbacks,disk,kills,secret-files,soak,state-file,state-lock,stop,versions}.test.ts',
  'test/cli/token-file/kills.test.ts',
  'test/certification/process.test.ts',
  'test/examples/{action,ci}.test.ts',
];

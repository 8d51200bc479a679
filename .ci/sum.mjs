// Sums up the runs of tests, whose results are in the folder given: names what failed, and prints `N passed, M failed` last.
// The whole gate must have run some.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, steps] = process.argv.slice(2);
let passed = 0;
let failed = 0;
const named = [];
for (const file of readdirSync(folder).filter((name) => name.startsWith('results.'))) {
  const results = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  passed += results.numPassedTests;
  failed += results.numFailedTests;
  for (const { name, message, assertionResults } of results.testResults) {
    const tests = assertionResults.filter(({ status }) => status === 'failed');
    if (tests.length === 0 && message) named.push(`${name}: ${message.slice(0, 500)}`);
    for (const { fullName, failureMessages } of tests) {
      named.push(`${name}: ${fullName}\n    ${failureMessages.join('\n').slice(0, 1500).replaceAll('\n', '\n    ')}`);
    }
  }
}
// The end of a long log is what is read first.
for (const one of named.slice(0, 20)) console.log(`FAILED ${one}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 || named.length > 0 || (passed === 0 && steps === 'whole') ? 1 : 0);

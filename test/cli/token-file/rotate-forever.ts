import { openTokenFile } from '../../../src/cli/token-file.js';

// Rotates the tokens of a file until it is killed: `kills.test.ts` looks at what is left.
const journal = await openTokenFile(process.argv[2]!, 'token-0');
process.stdout.write('ready\n');
for (;;) {
  const { refreshToken, pending } = await journal.read();
  const number = Number((pending ?? refreshToken)!.split('-')[1]);
  await journal.intent(`token-${number}`);
  const pair = { accessToken: `access-${number}`, refreshToken: `token-${number + 1}`, expiresIn: 60, at: 0 };
  await journal.result(pair);
}

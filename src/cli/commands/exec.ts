import { defined } from '../../common/index.js';
import { onCommandLine, type Values } from '../args.js';
import { PassedSignals, runChild, whyNotStarted } from '../process/child.js';
import type { Terminal } from '../terminal.js';
import { UsageError } from '../usage-error.js';
import { defineCommand, refuseWords } from './command.js';
import { callbackLog, exchangeLog, strayLog } from '../log.js';
import { lineBatch, listenOrExplain, logOptionsOf, startWorlds } from './serve.js';
import { execFlags, execGroups, serveFlags } from './serve-flags.js';

const usage = 'exec [FLAGS] -- COMMAND [ARG ...]';
const missing = (what: string): UsageError => new UsageError(`exec needs ${what}: teebox ${usage}.`);

export const command = defineCommand({
  usage,
  what: `Starts a sandbox on a free port, runs the command, and exits with its exit code.
The command gets TEEBOX_BASE_URL, TEEBOX_USERNAME, TEEBOX_PASSWORD and TEEBOX_REFRESH_TOKEN as environment variables.`,
  flags: execFlags,
  groups: execGroups,
  examples: [
    ['teebox exec -- npm test', 'run tests against a fresh sandbox'],
    ["teebox exec --scenario 'slow; delay=800ms' -- npm test", 'the same, with slow responses'],
    [
      'teebox exec --log-level info -- npm test',
      'each request on stderr, with the reason of a refusal or an empty list',
    ],
  ],
  takesCommand: true,
  prepare(own, after) {
    // Checked before the flags are read: without a `--`, the flags of the command would be read as ours.
    if (!after && !own.some((word) => word === '--help' || word === '--version')) {
      throw missing('a `--` before the command');
    }
    refuseServeFlags(own);
  },
  run({ values, positionals, after = [], terminal }) {
    refuseWords(positionals);
    const [name = '', ...words] = after;
    if (name === '') throw missing('a command after `--`');
    return execCommand(values, name, words, terminal);
  },
});

/** What only a server can be told has its own words: the closest flag of exec would be another one altogether. */
function refuseServeFlags(words: readonly string[]): void {
  const names = words.flatMap((word) => /^--([a-z-]+)/.exec(word)?.[1] ?? []);
  const name = names.find((one) => one in serveFlags && !(one in execFlags));
  if (name === undefined) return;
  const where = name === 'port' || name === 'host' ? ' It uses a free port, and sets TEEBOX_BASE_URL.' : '';
  const kind = name in onCommandLine(serveFlags) ? 'flag' : 'setting';
  throw new UsageError(`exec does not take --${name}, which is a ${kind} of serve.${where}`);
}

/** The exit codes that shells use. */
const NOT_FOUND = 127;
const NOT_RUN = 126;

/** Runs a command with its own sandbox, and exits with the command's exit code. */
async function execCommand(
  values: Values<typeof execFlags>,
  command: string,
  args: readonly string[],
  terminal: Terminal,
): Promise<never> {
  const { add } = lineBatch(terminal.err);
  const log = logOptionsOf({ 'log-level': 'silent', ...values }, terminal.colour, add);
  const worlds = await startWorlds(values, exchangeLog(log), defined({ onCallback: callbackLog(log) }));
  const server = await listenOrExplain(worlds, {
    port: 0,
    hostname: '127.0.0.1',
    ...defined({ onStray: strayLog(log) }),
  });
  const { username, password, refreshToken } = worlds.main.channels[0]!;
  const variables = {
    TEEBOX_BASE_URL: server.url,
    TEEBOX_USERNAME: username,
    TEEBOX_PASSWORD: password,
    TEEBOX_REFRESH_TOKEN: refreshToken,
  };
  const signals = new PassedSignals();
  const code = await runChild({ command, args, variables, signals }).catch((error: NodeJS.ErrnoException) => {
    terminal.err(`teebox: Failed to run ${command}: ${whyNotStarted(error, { command, args })}`);
    return error.code === 'ENOENT' ? NOT_FOUND : NOT_RUN;
  });
  await server.close();
  // Pending callbacks would keep the process alive until the last of them timed out.
  process.exit(code);
}

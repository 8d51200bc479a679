import { exams } from '../../certification/index.js';
import { defineCommand, refuseWords } from '../commands/command.js';
import { UsageError } from '../usage-error.js';
import { certifyFlags, certifyGroups } from './flags.js';

const usage = 'certify [FLAGS] -- COMMAND [ARG ...]';

export const command = defineCommand({
  usage: `${usage} | certify --serve [FLAGS]`,
  what: `Checks a client of the service: runs its tests once for each exam, in a fresh sandbox with different failures.
The command gets TEEBOX_BASE_URL, TEEBOX_USERNAME, TEEBOX_PASSWORD, TEEBOX_REFRESH_TOKEN, TEEBOX_EXAM and TEEBOX_NOW.

Exit codes: 0 ready, 1 an obligation is violated, 2 usage error, 3 the command cannot be started, 4 too little was seen, or a doubt about a critical obligation is left.`,
  flags: certifyFlags,
  section: 'certify',
  groups: certifyGroups,
  examples: [
    ['teebox certify -- npm test', 'take every exam'],
    ["teebox certify --exams 'token-*' -- npm test", 'only the exams about tokens'],
    ['teebox certify --certificate certificate.html -- npm test', 'write a certificate'],
    ['teebox certify --resume stopped.json --certificate whole.json -- npm test', 'go on with a run that was stopped'],
    ['teebox certify --serve', 'take the exams by hand'],
  ],
  takesCommand: true,
  prepare(own, after) {
    const alone = ['--help', '--version', '--list', '--serve'];
    if (after || own.some((word) => alone.includes(word.replace(/=.*/, '')))) return;
    throw new UsageError(`certify needs a \`--\` before the command that runs your tests: teebox ${usage}.`);
  },
  async run({ values, positionals, after, terminal, env }) {
    refuseWords(positionals);
    if (values.list) {
      const width = Math.max(...exams.map(({ id }) => id.length));
      for (const { id, does } of exams) terminal.out(`${id.padEnd(width)}  ${does}`);
      return 0;
    }
    const [name = '', ...args] = after ?? [];
    if (values.serve) {
      if (after) throw new UsageError('--serve waits for a person or a program: leave out the command after `--`.');
      const one = (['verify', 'resume'] as const).find((flag) => values[flag] !== undefined);
      if (one !== undefined) throw new UsageError(`--${one} needs a command after \`--\`, not --serve.`);
      return (await import('./serve-exams.js')).serveExams(values, terminal, env);
    }
    if (values.verify !== undefined && values.resume !== undefined)
      throw new UsageError('--verify takes all exams again, and --resume those that are left: choose one.');
    if (name === '') throw new UsageError(`certify needs a command after \`--\`: teebox ${usage}.`);
    return (await import('./run-exams.js')).runExams(values, { name, args }, terminal, env);
  },
});

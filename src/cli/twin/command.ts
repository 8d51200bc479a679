import { baseUrlFrom, baseUrlOf, targetOf } from '../commands/check-command.js';
import { defineCommand, refuseWords } from '../commands/command.js';
import { UsageError } from '../usage-error.js';
import { twinFlags, twinGroups } from './flags.js';

export const command = defineCommand({
  usage: 'twin [BASE_URL | TARGET] --out FILE [FLAGS]',
  what: `Reads the facilities, courses, products, prices, policies and tee sheets of a deployment, and writes them as a world file for
\`serve --world\`. It sends only read requests. At the end it asks a sandbox with the file and the deployment the same questions, and
prints how many answers are the same. With --compare, it prints what has changed since an earlier file.

Exit codes: 0 done, 1 below --min-same, or something has changed, 2 usage error, 3 unreachable or access refused, 4 incomplete.`,
  flags: twinFlags,
  groups: twinGroups,
  examples: [
    ['teebox twin https://HOST --basic USER:PASSWORD --out world.yaml', 'every connected facility, four weeks'],
    [
      'teebox twin https://HOST --basic USER:PASSWORD --facility 1042 --to 2026-07-07 --out world.yaml',
      'one facility, until a day',
    ],
    ['teebox twin https://HOST --basic USER:PASSWORD --compare world.yaml', 'what has changed since, in CI'],
    ['teebox twin --har traffic.har --out world.yaml', 'of recorded traffic'],
  ],
  readsItself: true,
  async run({ values: given, read, positionals, terminal, env }) {
    const [name = '', ...rest] = positionals;
    refuseWords(rest);
    const target = await targetOf(name, given.config, 'twin', env);
    // A target is that of check, too: its other settings are not for a twin.
    const own = Object.entries(target.settings).filter(([key]) => Object.hasOwn(twinFlags, key));
    const values = read(Object.fromEntries(own));
    const { from, to, out, compare, plan, har } = values;
    if (from !== undefined && to !== undefined && to < from)
      throw new UsageError(`--to ${to} is before --from ${from}.`);
    if (out === undefined && compare === undefined && !plan)
      throw new UsageError('twin needs --out FILE for the world file, or --compare FILE with an earlier one.');
    const run = await import('./run-twin.js');
    if (har !== undefined) {
      // TEEBOX_BASE_URL names the deployment to read now, not the recorded one.
      const recorded = target.url === undefined ? undefined : baseUrlOf(target.url, 'twin');
      return run.recordedTwinCommand(har, recorded, values, terminal, env);
    }
    return run.twinCommand(baseUrlFrom(target.url, env, 'twin'), values, terminal, env);
  },
});

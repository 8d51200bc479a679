import { baseUrlFrom, targetOf } from './check-command.js';
import { defineCommand, refuseWords } from './command.js';
import { exploreFlags, exploreGroups } from './explore-flags.js';

export const command = defineCommand({
  usage: 'explore [BASE_URL | TARGET] [FLAGS]',
  what: `Takes random walks through a deployment and compares each step with a model of what it must change. A failing walk is
made smaller until only the steps that matter are left. It sends only read requests unless --allow permits more.

Exit codes: 0 no finding, 1 a finding, 2 usage error, 3 unreachable or access refused, 4 too little was explored.`,
  flags: exploreFlags,
  groups: exploreGroups,
  examples: [
    ['teebox explore https://HOST --basic USER:PASSWORD --allow bookings,payments', 'book and pay'],
    ['teebox explore https://HOST --basic USER:PASSWORD --allow all --for 5m --max-bookings 200', 'for five minutes'],
    [
      'teebox explore https://HOST --basic USER:PASSWORD --allow bookings --save walk.json --to-test walk.test.ts',
      'keep what it finds',
    ],
    ['teebox explore https://HOST --basic USER:PASSWORD --allow bookings --again walk.json', 'in CI'],
  ],
  readsItself: true,
  async run({ values: given, read, positionals, terminal, env }) {
    const [name = '', ...rest] = positionals;
    refuseWords(rest);
    const target = await targetOf(name, given.config, 'explore', env);
    // A target is that of check, too: its other settings are not for walks.
    const own = Object.entries(target.settings).filter(([key]) => Object.hasOwn(exploreFlags, key));
    const values = read(Object.fromEntries(own));
    const baseUrl = baseUrlFrom(target.url, env, 'explore');
    return (await import('./explore.js')).exploreCommand(baseUrl, values, terminal, env);
  },
});

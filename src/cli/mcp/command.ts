import { defineCommand, refuseWords } from '../commands/command.js';
import { UsageError } from '../usage-error.js';
import { mcpFlags, mcpGroups, ownFlags } from './flags.js';

export const command = defineCommand({
  usage: 'mcp [FLAGS] [-- COMMAND [ARG ...]]',
  what: `Serves the Model Context Protocol on stdin and stdout, for coding agents. It starts a sandbox on a free port, which the
tools and the client under test share. COMMAND runs the client's own tests, for the tool certify. The server ends when
stdin is closed.`,
  flags: mcpFlags,
  groups: mcpGroups,
  examples: [
    ['teebox mcp', 'a sandbox for this agent'],
    ['teebox mcp --attach http://127.0.0.1:4653/w/agent', 'a world of a sandbox that runs'],
    ['teebox mcp -- npm test', "the client's own tests, for the tool certify"],
  ],
  takesCommand: true,
  prepare(own) {
    const given = own.flatMap((word) => /^--([a-z-]+)/.exec(word)?.[1] ?? []);
    const stray = given.includes('attach') ? given.find((name) => name in ownFlags) : undefined;
    if (stray === undefined) return;
    throw new UsageError(`--${stray} is for a sandbox that this command starts. Give it to the one at --attach.`);
  },
  async run({ values, positionals, after = [], terminal, env }) {
    refuseWords(positionals);
    return (await import('./session.js')).runSession(values, { command: after, terminal, env });
  },
});

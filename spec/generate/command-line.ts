import type { Flags } from '../../src/cli/args.js';
import type { CommandModule } from '../../src/cli/commands/command.js';
import { type CommandName, commands } from '../../src/cli/commands/table.js';
import { groupedFlags, keysOf } from '../../src/cli/help/usage.js';
import { code, table } from './markdown.js';

/** The page about a command, besides its part of the reference. */
const guides: Readonly<Partial<Record<CommandName, string>>> = {
  check: '[Conformance](conformance.md)',
  certify: '[Certify a client](certify.md)',
  twin: '[Your own facilities](own-facilities.md#a-twin-of-a-deployment)',
  explore: '[Explore a deployment](explore.md)',
  diff: '[Conformance](conformance.md)',
  proxy: '[Check live traffic](proxy.md)',
  mcp: '[Coding agents](agents.md)',
  replay: '[Capsules](capsules.md)',
  list: '[Obligations](obligations.md), [Dialects](dialects.md)',
  scenarios: '[Failures on demand](failures.md)',
};

const names = Object.keys(commands) as CommandName[];
const modules = new Map<CommandName, CommandModule>();
for (const name of names) modules.set(name, await commands[name].load());

/** A line of a table for each command. */
function commandTable(): string {
  const rows = names.map((name) => [
    `[${code(`teebox ${name}`)}](#teebox-${name})`,
    commands[name].summary,
    guides[name] ?? '',
  ]);
  return table(['command', 'does', 'guide'], rows);
}

/** The flags of a command, in the groups of its help. */
export function flagTables(command: CommandName): string {
  const module = modules.get(command)!;
  const keys = Object.entries(keysOf(module)).map(([name, { value = 'true', env = [], help }]) => {
    return [code(`${name}: ${value}`), help, env.map(code).join(', ')];
  });
  return [
    ...groupedFlags(module).map(([heading, flags]) => flagTable(heading, flags)),
    ...(keys.length > 0
      ? [table(['Keys of `teebox.config.yaml` without a flag', 'meaning', 'environment'], keys)]
      : []),
  ].join('\n\n');
}

function flagTable(heading: string, flags: Flags): string {
  const rows = Object.entries(flags).map(([name, { value, env = [], help }]) => {
    return [code(`--${name}${value ? ` ${value}` : ''}`), help, env.map(code).join(', ')];
  });
  return table([heading, 'meaning', 'environment'], rows);
}

function commandSection(name: CommandName): string {
  const { usage, what, flags, examples = [] } = modules.get(name)!;
  const heading = `### teebox ${name}`;
  const uses = usage.split(/ \| (?=[a-z])/).map((one) => code(`teebox ${one}`));
  const shown = examples.map(([call, does]) => `${call}  # ${does}`).join('\n');
  const parts = [heading, uses.join(' or '), what, ...(examples.length > 0 ? [`\`\`\`sh\n${shown}\n\`\`\``] : [])];
  return [...parts, ...(Object.keys(flags).length > 0 ? [flagTables(name)] : [])].join('\n\n');
}

/** The flag or the key, and its commands, for each variable of the environment. */
function variableTable(): string {
  const users = new Map<string, { readonly flag: string; readonly of: CommandName[] }>();
  for (const [name, { flags }] of modules) {
    for (const [key, { env = [], inFile }] of Object.entries(flags)) {
      const flag = inFile ? key : `--${key}`;
      for (const variable of env) users.set(variable, { flag, of: [...(users.get(variable)?.of ?? []), name] });
    }
  }
  const rows = [...users]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([variable, { flag, of }]) => [code(variable), code(flag), of.map(code).join(', ')]);
  return table(['variable', 'flag or key', 'commands'], rows);
}

/** The parts of docs/command-line.md that are made of the table of commands. */
export const commandLineSections: Readonly<Record<string, () => string>> = {
  commands: commandTable,
  variables: variableTable,
  'command-reference': () => names.map(commandSection).join('\n\n'),
};

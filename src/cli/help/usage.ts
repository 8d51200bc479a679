import type { Flags } from '../args.js';

/** Two columns, the second one aligned. */
export function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

function flagRows(flags: Flags): [string, string][] {
  return Object.entries(flags).map(([name, flag]) => {
    const env = flag.env && flag.env.length > 0 ? ` [${flag.env.join(', ')}]` : '';
    return [`--${name}${flag.value ? ` ${flag.value}` : ''}`, `${flag.help}${env}`];
  });
}

const common: [string, string][] = [
  ['-h, --help', 'print this help'],
  ['-v, --version', 'print the version'],
];

/** A command in the general help. */
interface CommandSummary {
  readonly usage: string;
  readonly summary: string;
}

export function generalHelp(commands: readonly CommandSummary[], serveFlags: Flags): string {
  return `teebox: a sandbox of a golf tee time distribution API

Usage: teebox [COMMAND] [FLAGS]

In a project that has the package, and in a clone, write npx teebox. npm run teebox -- [COMMAND] works in a clone, too.

${columns(commands.map(({ usage, summary }) => [usage, summary] as const))}

Flags of serve, with environment variables in [] and defaults in (). A flag overrides its variable:

${columns([...flagRows(serveFlags), ...common])}

teebox help TOPIC explains failures, worlds, time and more; teebox help lists the topics.`;
}

export function commandHelp(usage: string, what: string, flags: Flags): string {
  return `Usage: teebox ${usage}    (in a clone or a project: npx teebox ...)

${what}

${columns([...flagRows(flags), ...common])}`;
}

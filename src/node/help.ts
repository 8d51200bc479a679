import type { Flags } from './args.js';

const commands: readonly (readonly [string, string])[] = [
  ['serve', 'run the sandbox (the default command)'],
  ['exec [FLAGS] -- COMMAND', 'run a command against a sandbox of its own'],
  ['check BASE_URL [FLAGS]', 'judge whether a deployment conforms'],
  ['rules [GLOB ...]', 'list the rules: every statement of the document'],
  ['questions [GLOB ...]', 'list what the document leaves open, and the answers of a dialect card'],
  ['scenarios [GLOB ...]', 'list the failures that can be switched on'],
  ['spec [--admin]', 'print the OpenAPI document, or that of the admin API'],
];

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

function flagRows(flags: Flags): [string, string][] {
  return Object.entries(flags).map(([name, flag]) => {
    const env = flag.env ? ` [${flag.env.join(', ')}]` : '';
    return [`--${name}${flag.value ? ` ${flag.value}` : ''}`, `${flag.help}${env}`];
  });
}

const common: [string, string][] = [
  ['--help', 'this text'],
  ['--version', 'the version'],
];

export function generalHelp(serveFlags: Flags): string {
  return `teebox: a sandbox of a golf tee time distribution API

Usage: teebox [COMMAND] [FLAGS]

${columns(commands)}

Flags of serve, before the environment variables in brackets, before the defaults:

${columns([...flagRows(serveFlags), ...common])}`;
}

export function commandHelp(usage: string, what: string, flags: Flags): string {
  return `Usage: teebox ${usage}

${what}

${columns([...flagRows(flags), ...common])}`;
}

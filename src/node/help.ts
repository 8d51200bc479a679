import type { Flags } from './args.js';

const commands: readonly (readonly [string, string])[] = [
  ['serve', 'run the sandbox (the default command)'],
  ['exec [FLAGS] -- COMMAND', 'run a command with its own sandbox'],
  ['check BASE_URL [FLAGS]', 'check whether a deployment conforms to the document'],
  ['diff OLD.json NEW.json', 'compare two reports of check'],
  ['rules [GLOB ...]', 'list the rules of the document'],
  ['questions [GLOB ...]', 'list the questions that the document leaves open, and their possible answers'],
  ['scenarios [GLOB ...]', 'list the failures that you can inject'],
  ['spec [--admin]', 'print the OpenAPI document of the service or of the admin API'],
  ['completion bash|zsh|fish', 'print a script that completes commands and flags in a shell'],
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
  ['-h, --help', 'print this help'],
  ['-v, --version', 'print the version'],
];

export function generalHelp(serveFlags: Flags): string {
  return `teebox: a sandbox of a golf tee time distribution API

Usage: teebox [COMMAND] [FLAGS]

In a project that has the package, and in a clone, write npx teebox. npm run teebox -- [COMMAND] works in a clone, too.

${columns(commands)}

Flags of serve, with environment variables in [] and defaults in (). A flag overrides its variable:

${columns([...flagRows(serveFlags), ...common])}`;
}

export function commandHelp(usage: string, what: string, flags: Flags): string {
  return `Usage: teebox ${usage}    (in a clone or a project: npx teebox ...)

${what}

${columns([...flagRows(flags), ...common])}`;
}

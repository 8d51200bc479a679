/** Writes `dist/teebox.1`, the manual page of the command, from the table of commands: `npm run build:types` runs it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Flags } from '../../src/cli/args.js';
import { type CommandName, commands } from '../../src/cli/commands/table.js';
import { pageText, partOf } from '../../src/cli/help/page-text.js';
import { groupedFlags, keysOf } from '../../src/cli/help/usage.js';
import { rootFolder } from './folders.js';

/** Text for roff: no control lines, and hyphens that can be copied. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^([.'])/gm, '\\&$1');
}

function paragraph(text: string): string {
  return escaped(text.replaceAll(/\s+/g, ' '));
}

function flagLines(flags: Flags): string {
  return Object.entries(flags)
    .map(([name, { value, env = [], help }]) => {
      const given = value ? ` \\fI${escaped(value)}\\fR` : '';
      const from = env.length > 0 ? ` [${env.join(', ')}]` : '';
      return `.TP\n\\fB\\-\\-${escaped(name)}\\fR${given}\n${paragraph(help + from)}`;
    })
    .join('\n');
}

async function commandLines(name: CommandName): Promise<string> {
  const command = await commands[name].load();
  const { usage, what, examples = [] } = command;
  const parts = what.split('\n\n').map((one) => paragraph(one.replaceAll('\n', ' ')));
  const shown = examples.map(([call, does]) => escaped(`  # ${does}\n  ${call}`)).join('\n');
  const keys = Object.keys(keysOf(command));
  const groups = groupedFlags(command).map(([heading, flags]) => `.PP\n.I ${escaped(heading)}\n${flagLines(flags)}`);
  return [
    `.SS ${escaped(`teebox ${usage}`)}`,
    parts.join('\n.PP\n'),
    ...(shown === '' ? [] : [`.PP\n.nf\n${shown}\n.fi`]),
    ...groups,
    ...(keys.length > 0 ? [`.PP\n${paragraph(`Keys of teebox.config.yaml without a flag: ${keys.join(', ')}.`)}`] : []),
  ].join('\n');
}

/** A part of a page as it is shown in a terminal. */
function shown(file: string, heading: string): string {
  const part = partOf(readFileSync(resolve(rootFolder, file), 'utf8'), heading);
  if (part === undefined) throw new Error(`${file} has no heading ${heading}, which the manual page shows.`);
  const [, ...lines] = pageText(part).split('\n\n');
  // The heading of the part has two lines of its own.
  return `.nf\n${escaped(lines.join('\n\n'))}\n.fi`;
}

async function manPage(): Promise<string> {
  const { version, description, homepage, bugs } = JSON.parse(
    readFileSync(resolve(rootFolder, 'package.json'), 'utf8'),
  ) as Readonly<Record<'version' | 'description' | 'homepage', string>> & { readonly bugs: { readonly url: string } };
  const names = Object.keys(commands) as CommandName[];
  const sections: [string, string][] = [
    ['NAME', `teebox \\- ${paragraph(description)}`],
    ['SYNOPSIS', '.B teebox\n[\\fICOMMAND\\fR] [\\fIFLAGS\\fR]'],
    ['DESCRIPTION', 'Without a command, teebox serves the sandbox. A flag takes precedence over the environment.'],
    ['COMMANDS', (await Promise.all(names.map(commandLines))).join('\n')],
    ['EXIT STATUS', shown('docs/command-line.md', 'Exit codes')],
    ['SEE ALSO', `The documentation is at ${escaped(homepage)}. Report bugs at ${escaped(bugs.url)}.`],
  ];
  const title = `.TH TEEBOX 1 "" "teebox ${version}" "User Commands"`;
  return [title, ...sections.map(([head, text]) => `.SH ${head}\n${text}`), ''].join('\n');
}

writeFileSync(resolve(rootFolder, 'dist/teebox.1'), await manPage());

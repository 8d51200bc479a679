import { type Flags, onCommandLine } from '../args.js';
import { wrapped } from './page-text.js';

/** Flags under a heading. */
export type FlagGroup<Name extends string = string> = readonly [heading: string, names: readonly Name[]];

/** A call that shows what a command is for. */
export type Example = readonly [call: string, does: string];

/** What the help of a command shows. */
export interface HelpSource {
  /** What follows `teebox`: `diff OLD.json NEW.json [FLAGS]`. */
  readonly usage: string;
  /** What it does and its exit codes. */
  readonly what: string;
  readonly flags: Flags;
  /** Its flags under headings. */
  readonly groups?: readonly FlagGroup[];
  /** Calls that show what it is for. */
  readonly examples?: readonly Example[];
}

/** Characters of a line, where nothing says how many the terminal has. */
const WIDTH = 100;
const INDENT = 6;
/** The fewest characters in which a second column can be read. */
const MOST_NARROW = 24;

/** Two columns, the second one aligned and wrapped; below each other where a terminal is too narrow for both. */
export function columns(rows: readonly (readonly [string, string])[], width = WIDTH): string {
  const first = Math.max(...rows.map(([left]) => left.length)) + 4;
  const isNarrow = width - first < MOST_NARROW;
  const indent = ' '.repeat(isNarrow ? INDENT : first);
  return rows
    .map(([left, right]) => {
      const lines = wrapped(right, indent, width);
      return isNarrow ? `  ${left}\n${lines}` : `  ${left}`.padEnd(first) + lines.slice(first);
    })
    .join('\n');
}

/** The flags under the headings of their groups; those of no group last. Without groups, all of them under one heading. */
export function groupedFlags({ flags: all, groups = [] }: Pick<HelpSource, 'flags' | 'groups'>): [string, Flags][] {
  const flags = onCommandLine(all);
  const placed = new Set(groups.flatMap(([, names]) => names));
  const others = Object.keys(flags).filter((name) => !placed.has(name));
  const every: FlagGroup[] = [...groups, [groups.length === 0 ? 'Flags' : 'Other flags', others]];
  return every
    .filter(([, names]) => names.length > 0)
    .map(([heading, names]) => [heading, Object.fromEntries(names.map((name) => [name, flags[name]!]))]);
}

/** The keys of the configuration file that have no flag. */
export function keysOf({ flags }: Pick<HelpSource, 'flags'>): Flags {
  return Object.fromEntries(Object.entries(flags).filter(([, { inFile }]) => inFile));
}

/** A flag on a line of its own, and what it does below it. */
function flagText([name, flag]: readonly [string, Flags[string]], width: number): string {
  const env = flag.env && flag.env.length > 0 ? ` [${flag.env.join(', ')}]` : '';
  const written = `  --${name}${flag.value ? ` ${flag.value}` : ''}`;
  return `${written}\n${wrapped(`${flag.help}${env}`, ' '.repeat(INDENT), width)}`;
}

const common: readonly (readonly [string, string])[] = [
  ['-h, --help', 'print this help'],
  ['-v, --version', 'print the version'],
];

/** Paragraphs, each wrapped: a line break in one is a blank, as on a page. */
function wrappedParagraphs(text: string, width: number): string {
  return text
    .split('\n\n')
    .map((paragraph) => wrapped(paragraph, '', width))
    .join('\n\n');
}

/** A command in the general help. */
export interface CommandSummary {
  /** As it is written, in short. */
  readonly usage: string;
  readonly summary: string;
  /** Whether it is explained; the others are only named. */
  readonly isBasic?: true;
}

/** The commands that a newcomer needs, and the names of the others. */
export function generalHelp(commands: Readonly<Record<string, CommandSummary>>, width = WIDTH): string {
  const basic = Object.values(commands).filter(({ isBasic }) => isBasic);
  const more = Object.keys(commands).filter((name) => !commands[name]!.isBasic && name !== 'help');
  const intro = `teebox: a sandbox of a golf tee time distribution API, and checks of its deployments and clients

Usage: teebox [COMMAND] [FLAGS]

In a project that has the package, and in a clone, write npx --no-install teebox.

npm run teebox -- [COMMAND] works in a clone, too.`;
  return `${wrappedParagraphs(intro, width)}

Commands:

${columns(
  basic.map(({ usage, summary }) => [usage, summary] as const),
  width,
)}

${wrapped(`More commands: ${more.join(', ')}. \`teebox help\` says what each does.`, '', width)}

${columns(
  [
    ['teebox COMMAND --help', 'the flags of a command, with examples'],
    ['teebox help TOPIC', 'failures, worlds, time and more; teebox help lists the topics'],
  ],
  width,
)}

${columns(common, width)}`;
}

/** Examples first, then the flags in groups. */
export function commandHelp(command: HelpSource, width = WIDTH): string {
  const { usage, what, examples = [] } = command;
  const groups = groupedFlags(command).map(
    ([heading, flags]) =>
      `${heading}:\n\n${Object.entries(flags)
        .map((flag) => flagText(flag, width))
        .join('\n')}`,
  );
  const shown = examples.map(([call, does]) => `  # ${does}\n  ${call}`).join('\n');
  const keys = Object.keys(keysOf(command));
  const hasVariables = Object.values(command.flags).some(({ env = [] }) => env.length > 0);
  return [
    wrapped(`Usage: teebox ${usage} (in a clone or a project: npx --no-install teebox ...)`, '', width),
    wrappedParagraphs(what, width),
    ...(examples.length > 0 ? [`Examples:\n\n${shown}`] : []),
    ...groups,
    ...(keys.length > 0 ? [wrapped(`Keys of teebox.config.yaml without a flag: ${keys.join(', ')}.`, '', width)] : []),
    ...(hasVariables
      ? [wrapped('Defaults are in (), environment variables in []. A flag overrides its variable.', '', width)]
      : []),
    columns(common, width),
  ].join('\n\n');
}

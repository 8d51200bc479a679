import { win32 } from 'node:path';
import { shellWord } from '../../common/index.js';

/** A word of a command line for the shell of this machine, in quotation marks if it needs them. */
export function commandWord(text: string, platform = process.platform): string {
  if (platform !== 'win32') return shellWord(text);
  return /^[\w@+=:./\\-]+$/.test(text) ? text : `"${text}"`;
}

/** How a command is started. */
interface Start {
  readonly file: string;
  readonly args: readonly string[];
  /** Whether the arguments are quoted already. */
  readonly windowsVerbatimArguments?: true;
}

/**
 * How Windows starts a command. npm, npx and the tools of a project are batch files there, which no program can start but
 * the shell of Windows.
 *
 * @param env Its names are looked up as they are; those of `process.env` are found in any spelling.
 */
export function startOnWindows(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  exists: (path: string) => boolean,
): Start {
  const file = fileOf(command, env, exists);
  if (file === undefined || !/\.(cmd|bat)$/i.test(file)) return { file: command, args };
  // The batch file of an installed tool gives its arguments to the shell again.
  const again = /node_modules[\\/]\.bin[\\/][^\\/]+$/i.test(file) ? escaped : (text: string) => text;
  const line = [escaped(win32.normalize(file)), ...args.map((arg) => again(escaped(quotedArgument(arg))))].join(' ');
  const shell = env['ComSpec'] ?? 'cmd.exe';
  return { file: shell, args: ['/d', '/s', '/c', `"${line}"`], windowsVerbatimArguments: true };
}

/** The file that a command names, as the shell looks for it: as it is, or with an extension, here or on the path. */
function fileOf(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
  exists: (path: string) => boolean,
): string | undefined {
  const all = (env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').toLowerCase().split(';').filter(Boolean);
  const own = win32.extname(command).toLowerCase();
  const extensions = all.includes(own) ? ['', ...all] : all;
  const isPath = /[\\/:]/.test(command);
  const folders = isPath ? [''] : ['.', ...(env['PATH'] ?? '').split(';').map((folder) => folder.replaceAll('"', ''))];
  for (const folder of folders) {
    for (const extension of extensions) {
      const file = isPath ? command + extension : win32.join(folder, command + extension);
      if (exists(file)) return file;
    }
  }
  return undefined;
}

/** An argument as programs read it: in quotation marks, which have a backslash inside, as have those before one. */
function quotedArgument(text: string): string {
  return `"${text.replaceAll(/(?<!\\)(\\*)"/g, String.raw`$1$1\"`).replace(/(?<!\\)\\+$/, '$&$&')}"`;
}

/** A word whose signs mean nothing to the shell. */
function escaped(text: string): string {
  return text.replaceAll(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}

/** The words of a command, without quotes. */
export type ShellCommand = readonly string[];

const separators = new Set(['\n', ';', '|', '&']);

/** Text in quotes. Double ones may have escapes, and commands with quotes of their own. */
const quoted = /'[^']*'|"(?:\\[^]|\$\((?:[^()"]|"[^"]*")*\)|[^"\\])*"/y;

/** Reads the word that begins at a place of a script; quotes and `$(...)` may have spaces. */
function readWord(script: string, start: number): { readonly word: string; readonly end: number } {
  let word = '';
  let at = start;
  while (at < script.length && !/\s/.test(script[at]!) && !separators.has(script[at]!)) {
    const character = script[at]!;
    if (character === "'" || character === '"') {
      quoted.lastIndex = at;
      const [text] = quoted.exec(script) ?? [];
      if (text === undefined) throw new Error(`a quote is open: ${script.slice(at, at + 40)}`);
      word += text.slice(1, -1);
      at += text.length;
    } else if (script.startsWith('$(', at)) {
      const close = script.indexOf(')', at);
      word += script.slice(at, close + 1);
      at = close + 1;
    } else {
      if (character === '\\') at += 1;
      word += script[at] ?? '';
      at += 1;
    }
  }
  return { word, end: at };
}

/** The simple commands of a script: of a list, a pipe or a line each one. Redirections are left out. */
export function commandsOf(code: string): ShellCommand[] {
  const script = code.replace(/<<-?\s*'?(\w+)'?\n[^]*?\n\1(?=\n|$)/g, '').replaceAll(/\\\n\s*/g, ' ');
  const commands: string[][] = [[]];
  for (let at = 0; at < script.length;) {
    const character = script[at]!;
    if (separators.has(character)) {
      commands.push([]);
      at += 1;
    } else if (/\s/.test(character)) at += 1;
    else if (character === '#') at = (script + '\n').indexOf('\n', at);
    else {
      const { word, end } = readWord(script, at);
      commands.at(-1)!.push(word);
      at = end;
    }
  }
  return commands.map(withoutRedirections).filter((words) => words.length > 0);
}

function withoutRedirections(words: readonly string[]): string[] {
  const isAlone = (word: string | undefined): boolean => /^\d?(>>?|<)$/.test(word ?? '');
  return words.filter((word, index) => !isAlone(word) && !isAlone(words[index - 1]) && !/^\d?>/.test(word));
}

/** The arguments of `teebox` in a command of the shell, or undefined if it calls something else. */
export function teeboxArguments(words: ShellCommand): readonly string[] | undefined {
  const own = words.slice(words.findIndex((word) => !/^[A-Z_][A-Z0-9_]*=/.test(word)));
  const [first, ...rest] = own[0] === 'npx' ? own.slice(own[1]?.startsWith('--') ? 2 : 1) : own;
  if (first === 'teebox') return rest;
  if (first === 'node' && rest[0]?.endsWith('dist/cli.js')) return rest.slice(1);
  return first === 'npm' && rest[0] === 'start' ? rest.slice(rest[1] === '--' ? 2 : 1) : undefined;
}

import { type Flags, onCommandLine } from '../args.js';
import { UsageError } from '../usage-error.js';
import { type CommandEntry, commonFlags, defineCommand } from './command.js';

/** What can follow `teebox`: each command with its flags and words. */
type Vocabulary = Readonly<
  Record<
    string,
    {
      readonly flags: Flags;
      readonly words: readonly string[];
      readonly after: Readonly<Record<string, readonly string[]>>;
    }
  >
>;

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

export const command = defineCommand({
  usage: `completion ${shells.join('|')}`,
  what: `Prints a script for ${shells.join(', ')} that completes commands, flags and their values.`,
  flags: {},
  completes: shells,
  async run({ positionals, terminal, commands }) {
    const [name = '', ...others] = positionals;
    const shell = shells.find((one) => one === name);
    if (!shell || others.length > 0) {
      throw new UsageError(`completion needs one shell: teebox completion ${shells.join('|')}.`);
    }
    terminal.out(scripts[shell](await vocabularyOf(commands)));
    return 0;
  },
});

async function vocabularyOf(commands: Readonly<Record<string, CommandEntry>>): Promise<Vocabulary> {
  const loaded = Object.entries(commands).map(async ([name, { load }]) => {
    const { flags, completes: words = [], completesAfter: after = {} } = await load();
    return [name, { flags: { ...onCommandLine(flags), ...commonFlags }, words, after }] as const;
  });
  return Object.fromEntries(await Promise.all(loaded));
}

function wordsOf({ flags, words }: Vocabulary[string]): string {
  return [...words, ...Object.keys(flags).map((name) => `--${name}`)].join(' ');
}

/** One line of a `case` for each command. */
function cases(vocabulary: Vocabulary, line: (words: string) => string): string {
  return Object.entries(vocabulary)
    .map(([command, one]) => `    ${command}) ${line(wordsOf(one))} ;;`)
    .join('\n');
}

/** The flags and words after which one of a list is wanted, as patterns `COMMAND:FLAG`, by that list: hundreds of ids fit several. */
function valueCases(vocabulary: Vocabulary, line: (words: string) => string): string {
  const byList = new Map<string, string[]>();
  for (const [command, { flags, after }] of Object.entries(vocabulary)) {
    const ofFlags = Object.entries(flags).map(([name, { choices }]) => [`--${name}`, choices] as const);
    for (const [before, choices] of [...ofFlags, ...Object.entries(after)]) {
      if (!choices) continue;
      const list = choices.join(' ');
      byList.set(list, [...(byList.get(list) ?? []), `${command}:${before}`]);
    }
  }
  return [...byList].map(([list, places]) => `    ${places.join('|')}) ${line(list)} ;;`).join('\n');
}

const scripts: Readonly<Record<Shell, (vocabulary: Vocabulary) => string>> = {
  bash: (vocabulary) => `# teebox completion for bash. Add to ~/.bashrc: eval "$(teebox completion bash)"
_teebox() {
  local current=\${COMP_WORDS[COMP_CWORD]} command=\${COMP_WORDS[1]} words
  [[ $command == -* ]] && command=serve
  case $command:\${COMP_WORDS[COMP_CWORD-1]} in
${valueCases(vocabulary, (words) => `COMPREPLY=($(compgen -W "${words}" -- "$current")); return`)}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${Object.keys(vocabulary).join(' ')} ${wordsOf(vocabulary['serve']!)}"
  else case $command in
${cases(vocabulary, (words) => `words="${words}"`)}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _teebox teebox`,
  zsh: (vocabulary) => `#compdef teebox
# teebox completion for zsh. Add to ~/.zshrc, after compinit: eval "$(teebox completion zsh)"
_teebox() {
  local command=$words[2]
  [[ $command == -* ]] && command=serve
  case $command:$words[CURRENT-1] in
${valueCases(vocabulary, (words) => `compadd -- ${words}; return`)}
  esac
  if (( CURRENT == 2 )); then
    compadd -- ${Object.keys(vocabulary).join(' ')} ${wordsOf(vocabulary['serve']!)}
    return
  fi
  case $command in
${cases(vocabulary, (words) => `compadd -- ${words}; _files`)}
  esac
}
compdef _teebox teebox`,
  fish: (vocabulary) => `# teebox completion for fish. Save as ~/.config/fish/completions/teebox.fish
${fishLines(vocabulary).join('\n')}`,
};

function fishLines(vocabulary: Vocabulary): string[] {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
  return Object.entries(vocabulary).flatMap(([command, { flags, words, after: following }]) => {
    const after = `-n '__fish_seen_subcommand_from ${command}'`;
    return [
      `complete -c teebox -n __fish_use_subcommand -a ${command}`,
      ...words.map((word) => `complete -c teebox ${after} -a ${word}`),
      ...Object.entries(following).map(([before, list]) => {
        const isAfter = `-n '__fish_seen_subcommand_from ${command}; and __fish_seen_subcommand_from ${before}'`;
        return `complete -c teebox ${isAfter} -a ${quote(list.join(' '))}`;
      }),
      ...Object.entries(flags).map(([name, { value, help, choices = [] }]) => {
        const values = choices.length === 0 ? '' : ` -a ${quote(choices.join(' '))}`;
        return `complete -c teebox ${after} -l ${name}${value ? ' -r' : ''}${values} -d ${quote(help)}`;
      }),
    ];
  });
}

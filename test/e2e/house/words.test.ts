import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../../', import.meta.url);
const MOST_WORDS = 25;

/** What nobody shall have to read: riddles and old-fashioned turns, each with the plain word. */
const riddles: readonly (readonly [riddle: RegExp, plain: string])[] = [
  [/\bleave (?:for|to)\b (?!\w+s? out)/i, 'permission'],
  [/\bfor want of\b/i, 'missing'],
  [/\blacks? a twin\b/i, 'missing'],
  [/\bnone but such\b/i, 'none'],
  [/\bas unknown as\b/i, 'treated as not found'],
  [/\bneither way round\b/i, 'a sentence of its own'],
  [/\btells? the facility otherwise\b/i, 'the facility data differs'],
  [/\bmany an? \w+/i, 'many'],
  [/\bin vain\b/i, 'not triggered'],
  [/\bis told\b/i, 'configured, set or given'],
  [/\bthat nobody asks\b/i, 'idle'],
  [/\bMUST be asked with\b/, 'a request MUST include'],
  [/\bleast lately\b/i, 'least recently used'],
  [/^Who (?:gives|asks|wants|has)\b/m, 'with, or if you'],
  [/\bon their way\b/i, 'pending'],
  [/\bbegins all three anew\b/i, 'clears all three'],
  [/\btake one each\b/i, 'give each its own'],
  [/\bto no other site\b/i, 'closed to other origins'],
  [/\bis not struck\b/i, 'a scenario does not strike'],
  [/^Below (?!is|are)[^.]{0,80}, (?:to|is|are)\b/m, 'the subject first'],
  [/^What is \w+ (?:anyway|already) is\b/m, 'the subject first'],
  [/\bwhat is taken unless\b/i, 'default'],
];

const folders = ['docs/', 'docs/quick-starts/', 'docs/collections/', ''].filter((name) =>
  existsSync(new URL(name, root)),
);

/** The pages by name, without code and without what is generated from data. */
const pages = new Map(
  folders.flatMap((folder) => {
    const names = readdirSync(new URL(folder, root)).filter((name) => name.endsWith('.md'));
    return names.map((name) => [`${folder}${name}`, proseOf(`${folder}${name}`)] as const);
  }),
);

function proseOf(name: string): string {
  const text = readFileSync(new URL(name, root), 'utf8').replaceAll(/```[^]*?```/g, '');
  return text.replaceAll(/<!-- (\S+): generated -->[^]*?<!-- \/\1 -->/g, '');
}

test('the pages use plain words', () => {
  const found = [...pages].flatMap(([name, text]) =>
    riddles.flatMap(([riddle, plain]) => {
      const [words] = riddle.exec(text) ?? [];
      return words === undefined ? [] : [`${name}: "${words}"; write: ${plain}`];
    }),
  );
  expect(found).toEqual([]);
});

/** Sentences and their parts before a colon or semicolon; code counts as one word. Tables are left out. */
function sentencesOf(text: string): string[] {
  const blocks = text.split(/\n\s*\n|\n(?=[-*|#] |\d+\. |\|)/).filter((block) => !/^\s*(?:\||---)/.test(block));
  return blocks.flatMap((block) => {
    const plain = block.replaceAll(/\]\([^)]*\)/g, ']').replaceAll(/`[^`]*`/g, 'X');
    return plain
      .trim()
      .split(/\s+/)
      .join(' ')
      .split(/(?<=[.!?:;·]) /);
  });
}

test('no sentence has more than 25 words', () => {
  const found = [...pages]
    .filter(([name]) => name !== 'CHANGELOG.md')
    .flatMap(([name, text]) =>
      sentencesOf(text)
        .filter((one) => one.split(' ').length > MOST_WORDS)
        .map((one) => `${name}: ${one}`),
    );
  expect(found).toEqual([]);
});

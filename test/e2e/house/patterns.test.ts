import { readdirSync, readFileSync } from 'node:fs';
import { analyse } from 'scslre';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = new URL('../../../src/', import.meta.url);

/** A regular expression of a source: a literal, or the fixed text that one is built from. */
interface Pattern {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

/** Whether there may be a pattern in a text, so that it has to be parsed: a slash where a value begins, or a call. */
const mayHavePattern = /\bRegExp\b|(?:[(,=:[!&|?{};+>]|\b(?:return|of|in|case))\s*\/(?![*/])/;

function patternsIn(file: string, text: string): Pattern[] {
  const found: Pattern[] = [];
  if (!mayHavePattern.test(text)) return found;
  const mode = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  const tree = ts.createSourceFile(file, text, mode);
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ file, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(tree) === 'RegExp') {
      const [source, flags] = node.arguments ?? [];
      const given = flags && ts.isStringLiteral(flags) ? flags.text : '';
      if (source && ts.isStringLiteral(source)) found.push({ file, source: source.text, flags: given });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/**
 * The patterns that a module builds when it is loaded, from parts that no source shows as one text. It is loaded once more
 * for that, by another name.
 */
async function builtBy(module: string): Promise<Pattern[]> {
  const found: Pattern[] = [];
  const Plain = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Plain, {
    construct(target, [source, flags]: [string | RegExp, string?], made) {
      if (typeof source === 'string') found.push({ file: module, source, flags: flags ?? '' });
      return Reflect.construct(target, [source, flags], made) as object;
    },
  });
  try {
    await import(/* @vite-ignore */ `../../../src/${module}?patterns`);
  } finally {
    globalThis.RegExp = Plain;
  }
  return found;
}

/** The modules with such patterns, which read foreign text: secrets, personal data, messages of failures, paths. */
const building = [
  'certification/obligations/failures/outcome.ts',
  'common/mask.ts',
  'conformance/client/personal-data.ts',
];
/** Patterns that are built from a text of the moment, with what bounds or escapes it. */
const ofTheMoment: Readonly<Record<string, string>> = {
  'bindings/msw.ts': 'a base URL of a test',
  'cli/init/test-tools.ts': 'the name of a tool of ours',
  'common/texts.ts': 'a glob of the user, on ids',
  'conformance/client/wire/scope.ts': 'a path of the contract',
  'conformance/rules/errors.ts': 'the words of a documented failure, which `certification` builds the same way',
  'contract/operations.ts': 'a path of the contract',
  'engine/admin/bookings/history.ts': 'a number',
  'engine/record/capsule-secrets.ts': 'secrets, each escaped, in an alternation without a repetition',
};

test('every pattern that is built from parts is known, and linear where it reads foreign text', async () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const built = files.filter((file) => {
    if (file.startsWith('contract/generated/')) return false;
    const text = readFileSync(new URL(file, root), 'utf8');
    return /\bRegExp\((?!'[^'\n]*'[,)])/.test(text.replace(/^ *\*.*$/gm, ''));
  });
  expect(built.sort()).toEqual([...building, ...Object.keys(ofTheMoment)].sort());
  for (const module of building) {
    const patterns = await builtBy(module);
    expect(patterns.length, module).toBeGreaterThan(0);
    expect(patterns.filter(isSlow), module).toEqual([]);
  }
});

/** Whether some text takes more than linear time: a static analysis, which runs no pattern. */
function isSlow({ source, flags }: Pick<Pattern, 'source' | 'flags'>): boolean {
  return analyse({ source, flags }).reports.length > 0;
}

/** Slow patterns, with the bound on what they are applied to. */
const bounded: Readonly<Record<string, string>> = {
  '\\/+$': 'the base URL of a run or a client, which its user gives',
  ',(?![^()]*\\))': 'a list of scenarios, at most 2,048 characters',
  "^([!#$%&'*+\\-.^_`|~0-9A-Za-z]{1,64}):[ \\t]*([\\t\\x20-\\x7e\\x80-\\xff]+)$":
    'a header that the user of the command line gives',
  '[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+$': 'a value that the user of the command line gives',
  '\\w+$': 'the name of a file of the console',
  '\\d+$': 'the name of a country that a plan makes up',
  '[.!\\s]*$': 'the last words of a client, at most 200 characters',
  '<[^>]*(>|$)': 'the first 5,000 characters of a page',
  '\\n{2,}|(?<=^#.*)\\n|\\n(?=[|#])(?<!\\|\\n)': 'a page of the documentation',
  '\\n(?=\\s*(?:[-*]|\\d+\\.) )': 'a page of the documentation',
  '\\[([^\\]]+)\\]\\((https?:[^)]+)\\)': 'a page of the documentation',
  '\\[([^\\]]+)\\]\\([^)]*\\)': 'a page of the documentation',
  '(?<!`[^`]*)<\\/?[a-z][^>:]*>': 'a page of the documentation',
};

test('no pattern takes more than linear time, unless its text is short', { tags: ['slow'] }, () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(ts|tsx|js)$/.test(file));
  const patterns = files.flatMap((file) => {
    const text = readFileSync(new URL(file, root), 'utf8');
    // The parser is needed only where there may be a pattern. Most of the generated files have none but calls.
    return file.startsWith('contract/generated/') ? builtIn(file, text) : patternsIn(file, text);
  });
  const distinct = [...new Map(patterns.map((one) => [`/${one.source}/${one.flags}`, one])).values()];
  expect(distinct.length).toBeGreaterThan(150);
  const slow = distinct.filter(isSlow);
  expect(slow.filter(({ source }) => !(source in bounded))).toEqual([]);
  expect(Object.keys(bounded).filter((source) => !slow.some((one) => one.source === source))).toEqual([]);
});

/** The patterns of generated validators, which are all calls on one line. */
function builtIn(file: string, text: string): Pattern[] {
  return text.split('\n').flatMap((line) => (line.includes('new RegExp(') ? patternsIn(file, line) : []));
}

test.each<[source: string, slow: boolean]>([
  ['(a+)+$', true],
  ['\\s+$', true],
  ['a*a*b', true],
  ['[^\\s"]+(?=\\.\\.\\.)', true],
  ['^\\s+$', false],
  ['^[^@\\s]+@[^@\\s]+$', false],
  ['(?<!\\\\)(\\\\*)"(?:a|b)\\1"', false],
])('%s', (source, slow) => {
  expect(isSlow({ source, flags: 'g' })).toBe(slow);
});

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { rootFolder } from './folders.js';
import { code, table } from './markdown.js';

/** Where the options of a function of the library are declared: interfaces by their file. */
const sources = {
  'sandbox-options': [
    ['src/engine/state/sandbox-state.ts', 'StateOptions'],
    ['src/engine/options.ts', 'SandboxOptions'],
  ],
  'worlds-options': [['src/engine/worlds.ts', 'WorldsOptions']],
  'handlers-options': [['src/bindings/msw.ts', 'HandlersOptions']],
  'serve-options': [['src/cli/server.ts', 'ServeOptions']],
} as const;

/** The members of an interface with their types and the words of their comments. */
function optionRows(file: string, name: string): string[][] {
  const text = readFileSync(resolve(rootFolder, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const found = source.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === name);
  if (!found) throw new Error(`${file} has no interface ${name}, which docs/library.md shows.`);
  return (found as ts.InterfaceDeclaration).members.filter(ts.isPropertySignature).map((member) => {
    const words = ts.getJSDocCommentsAndTags(member).map((doc) => ts.getTextOfJSDocComment(doc.comment) ?? '');
    const type = member.type!.getText(source).replaceAll(/\s+/g, ' ');
    return [code(member.name.getText(source)), code(type), words.join(' ').replaceAll(/\s+/g, ' ')];
  });
}

/** The tables of options in docs/library.md, by the name of their section. */
export const optionTables: Readonly<Record<string, () => string>> = Object.fromEntries(
  Object.entries(sources).map(([section, interfaces]) => [
    section,
    () =>
      table(
        ['option', 'type', 'meaning'],
        interfaces.flatMap(([file, name]) => optionRows(file, name)),
      ),
  ]),
);

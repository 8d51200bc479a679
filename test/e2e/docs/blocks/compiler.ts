import { dirname, join } from 'node:path';
import ts from 'typescript';

const root = new URL('../../../../', import.meta.url).pathname;

/** What the compiler says of modules, by their names, in a folder whose packages they import. */
export function faultsOf(modules: ReadonlyMap<string, string>, folder: string): string[] {
  const path = join(root, 'test/tsconfig.json');
  const parsed = ts.parseJsonConfigFileContent(ts.readConfigFile(path, ts.sys.readFile).config, ts.sys, dirname(path));
  // A part of a program declares what the rest of it uses.
  const options = { ...parsed.options, allowJs: true, checkJs: true, noUnusedLocals: false, noUnusedParameters: false };
  const files = new Map([...modules].map(([name, text]) => [join(folder, name), text]));
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists.call(host, name);
  host.readFile = (name) => files.get(name) ?? readFile.call(host, name);
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((name) => {
    const source = program.getSourceFile(name)!;
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(
      ({ messageText }) => `${name.slice(folder.length + 1)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  });
}

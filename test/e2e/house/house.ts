import { isBuiltin } from 'node:module';
import { dirname, posix } from 'node:path';
import ts from 'typescript';

/** Sources by their path below the root of the tree, such as `src/engine/model/rates.ts`. */
export type Tree = ReadonlyMap<string, string>;

/** The wings that are the host themselves: a process, a page in a browser, or an object of a worker. */
const hosts = ['cli', 'console', 'hosted'];

/** What the other wings may not name: they take time, chance and ids from their host. */
const hostOnly = ['process', 'Buffer', 'global', '__dirname', '__filename', 'require', 'eval', 'Function'];
const unsteady: Readonly<Record<string, readonly string[]>> = {
  Date: ['now'],
  Math: ['random'],
  crypto: ['randomUUID', 'getRandomValues'],
  performance: ['now'],
};

/** What is wrong with the house, one sentence each; none when all is well. */
export function faultsOf(tree: Tree): string[] {
  const imports = new Map([...tree].map(([path, text]) => [path, importsOf(path, text)]));
  const faults = [...tree].flatMap(([path, text]) => [
    ...importFaults(path, imports.get(path)!),
    ...nameFaults(path, text),
  ]);
  return [...faults, ...cyclesIn(imports)];
}

const wingOf = (path: string): string => path.split('/')[1]!;

/** Modules that a file imports, types too: as paths of the tree where they are relative. */
function importsOf(path: string, text: string): string[] {
  return ts
    .preProcessFile(text)
    .importedFiles.map(({ fileName: name }) =>
      name.startsWith('.') ? posix.join(dirname(path), name).replace(/\.js$/, '.ts') : name,
    );
}

/** The compiler holds the order of the wings (project references), and the linter their doors. */
function importFaults(path: string, imports: readonly string[]): string[] {
  return imports.flatMap((name) => {
    if (wingOf(path) !== 'cli' && isBuiltin(name)) return [`${path} imports ${name}`];
    const isStore = path.startsWith('src/engine/store/');
    return !isStore && name.startsWith('@msw/data') ? [`${path} imports the data library`] : [];
  });
}

/** Whether the words of a fault stand in a text, so that it has to be parsed. */
function isSuspicious(text: string): boolean {
  const has = (word: string): boolean => new RegExp(`\\b${word}\\b`).test(text);
  // `Date` with something in its brackets is no fault, nor is a function of it but `now`.
  if (/\bDate\b(?!\s*\(\s*[^\s)]|\.)/.test(text) || hostOnly.some(has)) return true;
  return Object.entries(unsteady).some(([object, members]) => has(object) && members.some(has));
}

function nameFaults(path: string, text: string): string[] {
  if (hosts.includes(wingOf(path)) || path.includes('/generated/') || !isSuspicious(text)) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const faults: string[] = [];
  const visit = (node: ts.Node): void => {
    const fault = nameFault(node);
    if (fault) faults.push(`${file.fileName} uses ${fault}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return faults;
}

function nameFault(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node)) return hostOnly.includes(node.text) && isUse(node) ? node.text : undefined;
  if (ts.isPropertyAccessExpression(node)) return memberFault(node.expression, node.name.text);
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
    return memberFault(node.expression, node.argumentExpression.text);
  }
  if (ts.isBindingElement(node) && ts.isVariableDeclaration(node.parent.parent) && node.parent.parent.initializer) {
    return memberFault(node.parent.parent.initializer, (node.propertyName ?? node.name).getText());
  }
  if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
    const callee = node.expression.getText().replace(/^globalThis\./, '');
    if (callee === 'Date' && (node.arguments?.length ?? 0) === 0) return 'new Date()';
  }
  return undefined;
}

/** Whether a name stands for what it names, and is not the name of a field or of something new. */
function isUse(name: ts.Identifier): boolean {
  const { parent } = name;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  return !('name' in parent && parent.name === name) && !(ts.isBindingElement(parent) && parent.propertyName === name);
}

function memberFault(object: ts.Expression, member: string): string | undefined {
  const of = object.getText().replace(/^globalThis\b\.?/, '');
  if (of === '') return hostOnly.includes(member) ? member : undefined;
  return unsteady[of]?.includes(member) ? `${of}.${member}` : undefined;
}

/** Imports in a circle, types too; each is told once. */
function cyclesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const graph = new Map(
    [...imports].map(([path, names]) => [path.replace(/x$/, ''), names.filter((name) => name.startsWith('src/'))]),
  );
  const done = new Set<string>();
  const faults: string[] = [];
  const walk = (path: string, above: readonly string[]): void => {
    const at = above.indexOf(path);
    if (at >= 0) faults.push(`a circle: ${[...above.slice(at), path].join(' -> ')}`);
    if (at >= 0 || done.has(path)) return;
    for (const next of graph.get(path) ?? []) walk(next, [...above, path]);
    done.add(path);
  };
  for (const path of graph.keys()) walk(path, []);
  return faults;
}

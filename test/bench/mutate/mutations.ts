import ts from 'typescript';

/** A change of one place in a source text. */
export interface Mutation {
  readonly from: number;
  readonly to: number;
  /** What stands there instead: an expression, or `;` if a statement is left out. */
  readonly text: string;
  readonly kind: 'expression' | 'statement';
  /** Whether it runs when its module is loaded, for whichever test is the first to load it. */
  readonly loads: boolean;
}

const others: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
};

/**
 * All mutations of a source text: another operator, literal or result, a condition without its negation or turned round,
 * a statement left out. Types, imports, messages and the names of properties stay as they are.
 */
export function mutationsOf(code: string): readonly Mutation[] {
  const source = ts.createSourceFile('source.ts', code, ts.ScriptTarget.ES2022, true);
  const found: Mutation[] = [];
  const add = (node: ts.Node, text: string, kind: Mutation['kind'] = 'expression'): void => {
    const loads = !ts.findAncestor(node, (one) => ts.isFunctionLike(one));
    found.push({ from: node.getStart(source), to: node.getEnd(), text, kind, loads });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    const text = changed(node, source);
    if (text !== undefined) add(node, text);
    if (ts.isIfStatement(node)) add(node.expression, `!(${node.expression.getText(source)})`);
    if (ts.isConditionalExpression(node)) add(node.condition, `!(${node.condition.getText(source)})`);
    if (ts.isReturnStatement(node) && node.expression) add(node.expression, 'undefined');
    if (isRemovable(node)) add(node, ';', 'statement');
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Another text of an operation or a literal, or undefined where there is none. */
function changed(node: ts.Node, source: ts.SourceFile): string | undefined {
  if (ts.isBinaryExpression(node)) {
    const other = others[node.operatorToken.getText(source)];
    const text = `${node.left.getText(source)} ${other} ${node.right.getText(source)}`;
    // `??` does not mix with other operators.
    return other === undefined ? undefined : other === '&&' ? `(${text})` : text;
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return node.operand.getText(source);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return 'false';
  if (node.kind === ts.SyntaxKind.FalseKeyword) return 'true';
  if (!ts.isNumericLiteral(node) && !ts.isStringLiteral(node)) return undefined;
  if ('name' in node.parent && node.parent.name === node) return undefined;
  if (ts.isNumericLiteral(node)) return `(${node.getText(source)} + 1)`;
  // A text of several words is a message.
  const isImport = ts.isCallExpression(node.parent) && node.parent.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isImport || !/^\S+$/.test(node.text) ? undefined : "''";
}

function isRemovable(node: ts.Node): boolean {
  if (ts.isIfStatement(node)) return ts.isThrowStatement(node.thenStatement) && !node.elseStatement;
  if (!ts.isExpressionStatement(node)) return false;
  const { expression } = node;
  return !(ts.isCallExpression(expression) && expression.expression.kind === ts.SyntaxKind.SuperKeyword);
}

/** A source text with a mutation. */
export function mutated(code: string, { from, to, text }: Mutation): string {
  return code.slice(0, from) + text + code.slice(to);
}

/**
 * A source text that has several mutations at once. `globalThis.mutant(id)` says at run time whether the one with that
 * id applies, so that neither the text nor what was made of it changes between two mutations.
 */
export function switchable(code: string, mutations: ReadonlyMap<number, Mutation>): string {
  const last = [...mutations].sort(([, a], [, b]) => b.from - a.from);
  return last.reduce((text, [id, mutation]) => {
    const own = text.slice(mutation.from, mutation.to);
    const isOn = `globalThis.mutant?.(${id})`;
    const either = mutation.kind === 'statement' ? `if (!${isOn}) ${own}` : `(${isOn} ? (${mutation.text}) : (${own}))`;
    return mutated(text, { ...mutation, text: either });
  }, code);
}

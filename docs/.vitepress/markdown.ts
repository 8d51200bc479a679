import { existsSync, statSync } from 'node:fs';
import { posix, relative } from 'node:path';
import { addressOf, files } from './pages.js';
import { project, root } from './project.js';

const pages = new Set(files);

/**
 * Where a link of a page leads on the site. Pages link to each other and to files of the repository by relative paths,
 * which work on the repository's own site too.
 *
 * @param from The file of the page, from the root of the repository.
 * @throws {Error} when the repository has no such file.
 */
export function resolveLink(href: string, from: string): string {
  if (/^([a-z][a-z+.-]*:|#|\/)/i.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const file = posix.join(posix.dirname(from), decodeURI(path)).replace(/\/$/, '');
  const fragment = anchor === undefined ? '' : `#${anchor}`;
  if (pages.has(file)) return `${addressOf(file)}${fragment}`;
  const index = ['README.md', 'index.md'].map((name) => `${file}/${name}`).find((name) => pages.has(name));
  if (index) return `${addressOf(index)}${fragment}`;
  if (file.startsWith('..') || !existsSync(root + file))
    throw new Error(`${from} links to ${href}, but there is no ${file}. Please correct the link.`);
  const kind = statSync(root + file).isDirectory() ? 'tree' : 'blob';
  return `${project.repository}/${kind}/main/${file}${fragment}`;
}

/** What VitePress says of the page that it renders; the search index gives the path only. */
interface Rendered {
  readonly path: string;
  readonly realPath?: string;
}

/** The part of a token of markdown-it that is used here. */
interface MarkdownToken {
  readonly type: string;
  readonly nesting: number;
  readonly content: string;
  readonly children: readonly MarkdownToken[] | null;
  tag: string;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

/** The part of markdown-it that is used here: the project and the site have different versions of it. */
interface Renderer {
  readonly core: {
    readonly ruler: {
      push(name: string, rule: (state: { readonly tokens: MarkdownToken[]; readonly env: unknown }) => void): void;
    };
  };
}

/** Whether the cell that begins or ends here has no text. */
function isEmptyCell(tokens: readonly MarkdownToken[], index: number): boolean {
  const text = tokens[tokens[index]!.nesting === 1 ? index + 1 : index - 1];
  return text?.content === '';
}

/** Lets VitePress read the pages as Markdown of the repository: with its links, and without templates of Vue. */
export function repositoryMarkdown(markdown: Renderer): void {
  markdown.core.ruler.push('repository', ({ tokens, env }) => {
    const { path, realPath = path } = env as Rendered;
    const from = relative(root, realPath);
    // A table without titles has an empty row of heads in Markdown; it is no head for those who listen to the page.
    for (const [index, token] of tokens.entries())
      if (token.tag === 'th' && isEmptyCell(tokens, index)) token.tag = 'td';
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === 'link_open') token.attrSet('href', resolveLink(token.attrGet('href')!, from));
      if (token.type === 'code_inline') token.attrSet('v-pre', '');
    }
  });
}

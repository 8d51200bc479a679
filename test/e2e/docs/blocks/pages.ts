import { readdirSync, readFileSync } from 'node:fs';
import MarkdownIt from 'markdown-it';

/** A code block of a page. */
export interface Block {
  /** The page, from the root of the project. */
  readonly page: string;
  /** The line of its opening fence. */
  readonly line: number;
  readonly language: string;
  /** The words behind the language, such as a reason not to run it. */
  readonly info: string;
  readonly code: string;
}

const root = new URL('../../../../', import.meta.url);

/** Every page that people read, from the root of the project. */
export function pageNames(): string[] {
  const guides = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !/(^|\/)(node_modules|\.vitepress)\//.test(name))
    .map((name) => `docs/${name}`);
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...guides.sort()];
}

const markdown = new MarkdownIt({ html: true });

/** The fenced blocks of a text; those in lists and quotes as well. */
function blocksIn(page: string, text: string): Block[] {
  return markdown
    .parse(text, {})
    .filter(({ type }) => type === 'fence')
    .map(({ info, content, map }) => {
      const [language = '', ...rest] = info.trim().split(/\s+/);
      return { page, line: map![0] + 1, language, info: rest.join(' '), code: content };
    });
}

/** Every fenced block of every page. */
export function allBlocks(): Block[] {
  return pageNames().flatMap((page) => blocksIn(page, readFileSync(new URL(page, root), 'utf8')));
}

/** The commands within sentences and tables that begin with `curl`. */
export function inlineCurls(): Pick<Block, 'page' | 'code'>[] {
  return pageNames().flatMap((page) =>
    markdown
      .parse(readFileSync(new URL(page, root), 'utf8'), {})
      .flatMap(({ children }) => children ?? [])
      .filter(({ type, content }) => type === 'code_inline' && content.startsWith('curl '))
      .map(({ content }) => ({ page, code: content })),
  );
}

/** Where a block is, for messages: `docs/failures.md:12`. */
export function placeOf({ page, line }: Block): string {
  return `${page}:${line}`;
}

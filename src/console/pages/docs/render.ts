// Pages of the documentation as HTML, made of the Markdown files that the package has.
import { Marked, type RendererObject, type Tokens } from 'marked';
import { slugOf } from '../../../../spec/generate/slug.mjs';

/** The pages by their ids, which are the paths of their files without the extension. */
export interface Guides {
  readonly titles: Readonly<Record<string, string>>;
  /** Where the files are that the package lacks. */
  readonly repository: string;
}

/** A page without its title, as HTML. Nothing in it is escaped that Markdown lets pass: the files are our own. */
export function htmlOf(id: string, text: string, guides: Guides): string {
  const body = text.replace(/^# .+\n/, '');
  return new Marked({ renderer: rendererOf(id, guides) }).parse(body, { async: false });
}

function rendererOf(id: string, guides: Guides): RendererObject {
  return {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="doc-${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>`;
    },
    link({ href, tokens }) {
      return `<a ${linkOf(href, id, guides)}>${this.parser.parseInline(tokens)}</a>`;
    },
    code({ text }) {
      return `<div class="code-block"><pre tabindex="0"><code>${escaped(text)}</code></pre></div>`;
    },
    table({ header, rows }) {
      const cells = (row: readonly Tokens.TableCell[]) =>
        row.map((one) => (one.text === '' ? { ...one, header: false } : one));
      const line = (row: readonly Tokens.TableCell[]) =>
        `<tr>${cells(row)
          .map((one) => this.tablecell(one))
          .join('')}</tr>`;
      const table = `<table class="table"><thead>${line(header)}</thead><tbody>${rows.map(line).join('')}</tbody></table>`;
      return `<div class="table-scroll" tabindex="0" role="group" aria-label="Table">${table}</div>`;
    },
  };
}

/** Where a link leads: to a page of the console, or to the repository for what the package lacks. */
function linkOf(href: string, from: string, { titles, repository }: Guides): string {
  if (/^https?:/.test(href)) return `href="${escaped(href)}" target="_blank"`;
  const { pathname, hash } = new URL(href, `docs:/docs/${from}.md`);
  const id = pathname.replace(/^\/docs\/|\.md$/g, '');
  if (Object.hasOwn(titles, id)) return `href="${addressOf(id, hash.slice(1))}"`;
  return `href="${repository}/blob/main${pathname}${hash}" target="_blank"`;
}

/** The address of a page in the console, or of one of its headings. */
function addressOf(id: string, heading = ''): string {
  return `#/docs/${[id, heading].filter(Boolean).map(encodeURIComponent).join('/')}`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

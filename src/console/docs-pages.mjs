// The documentation of the package as HTML, for the page of the console that shows it without a network.
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { Marked } from 'marked';
import { slugOf } from '../../spec/generate/slug.mjs';

/** The pages for users; those about the project itself are on the site only. */
const files = [
  ...readdirSync('docs').filter((name) => name.endsWith('.md') && !['architecture.md', 'index.md'].includes(name)),
  'quick-starts/curl.md',
];
const idOf = (file) => file.replace(/\.md$/, '');

/** The pages by their ids, each with its title, in the order of the titles. */
export function docsPages(repository) {
  const pages = files.map((file) => pageOf(file, readFileSync(`docs/${file}`, 'utf8'), repository));
  pages.sort(([, a], [, b]) => (a.title < b.title ? -1 : 1));
  const rows = pages.map(([id, { title }]) => `<li><a href="${addressOf(id)}">${title}</a></li>`);
  return Object.fromEntries([['', { title: 'Documentation', html: `<ul>${rows.join('')}</ul>` }], ...pages]);
}

function pageOf(file, text, repository) {
  const [, title, body] = /^# (.+)\n([^]*)$/.exec(text);
  const marked = new Marked({ renderer: rendererOf(file, repository) });
  return [idOf(file), { title, html: marked.parse(body) }];
}

function rendererOf(from, repository) {
  return {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="doc-${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>`;
    },
    link({ href, tokens }) {
      return `<a ${linkOf(href, from, repository)}>${this.parser.parseInline(tokens)}</a>`;
    },
    code({ text }) {
      return `<div class="code-block"><pre tabindex="0"><code>${escaped(text)}</code></pre></div>`;
    },
    table({ header, rows }) {
      const cells = (row) => row.map((one) => (one.text === '' ? { ...one, header: false } : one));
      const line = (row) =>
        `<tr>${cells(row)
          .map((one) => this.tablecell(one))
          .join('')}</tr>`;
      const table = `<table class="table"><thead>${line(header)}</thead><tbody>${rows.map(line).join('')}</tbody></table>`;
      return `<div class="table-scroll" tabindex="0" role="group" aria-label="Table">${table}</div>`;
    },
  };
}

/** Where a link leads: to a page of the console, or to the repository for what the package lacks. */
function linkOf(href, from, repository) {
  if (/^https?:/.test(href)) return `href="${escaped(href)}" target="_blank"`;
  const [path, heading] = href.split('#');
  const file = path === '' ? from : posix.join(posix.dirname(from), path);
  if (!files.includes(file)) {
    const hash = heading === undefined ? '' : `#${heading}`;
    return `href="${repository}/blob/main/${posix.join('docs', file)}${hash}" target="_blank"`;
  }
  return `href="${addressOf(idOf(file), heading)}"`;
}

function addressOf(id, heading) {
  return `#/docs/${[id, heading].filter(Boolean).map(encodeURIComponent).join('/')}`;
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

import { visibleLines } from '../../common/index.js';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** What XML cannot contain, not even as an entity, beside hidden characters. */
const unfit = /[\u{FFFE}\u{FFFF}]/gu;

/** Escapes text for XML or HTML, between tags or in a quoted attribute. */
export function xmlText(text: string): string {
  return visibleLines(text)
    .replace(unfit, '\uFFFD')
    .replace(/[&<>"']/g, (sign) => entities[sign]!);
}

/** HTML that is already escaped. */
export class Markup {
  constructor(readonly text: string) {}
}

type Piece = string | number | Markup | undefined | readonly (Markup | undefined)[];

/** HTML from a template. Every value except other HTML is escaped, so that no text of a deployment becomes markup. */
export function html(strings: TemplateStringsArray, ...values: readonly Piece[]): Markup {
  return new Markup(strings.map((text, index) => (index === 0 ? text : written(values[index - 1]) + text)).join(''));
}

function written(value: Piece): string {
  if (value === undefined) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(written).join('');
  return xmlText(String(value));
}

/** A sentence in which backticks mark code. */
export function prose(text: string): Markup {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return html`${text}`;
  return html`${parts.map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`;
}

/** One page that needs nothing else: no network, no script. */
export function htmlPage({
  title,
  style,
  header,
  main,
  footer,
}: {
  readonly title: string;
  readonly style: string;
  readonly header: Markup;
  readonly main: Markup;
  readonly footer: Markup;
}): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <title>${title}</title>
        <style>
          ${new Markup(style)}
        </style>
      </head>
      <body>
        ${header}
        <main>${main}</main>
        <footer>${footer}</footer>
      </body>
    </html> `.text;
}

/** A part of a page with its heading and how many things are in it. */
export function section(title: string, count: number | undefined, content: readonly Markup[]): Markup {
  const of = count === undefined ? undefined : html` <span class="count">${count}</span>`;
  return html`<section>
    <h2>${title}${of}</h2>
    ${content}
  </section>`;
}

/** A duration for people. */
export function secondsText(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

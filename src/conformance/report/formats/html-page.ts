import { html, Markup } from './markup.js';

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

/** A part of a page that lists sentences. */
export function lines(title: string, rows: readonly string[]): Markup {
  if (rows.length === 0) return html``;
  return section(title, rows.length, [
    html`<ul class="rows">
      ${rows.map((row) => html`<li>${row}</li>`)}
    </ul>`,
  ]);
}

/** A duration for people. */
export function secondsText(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

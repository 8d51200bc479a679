/** The base URL of this sandbox, without a trailing slash. The page itself is at `{base}/__admin/`. */
export const baseUrl = new URL('..', document.baseURI).href.replace(/\/$/, '');

/** The world of this page; undefined in the main one. */
export const world = /\/w\/([^/]+)$/.exec(baseUrl)?.[1];

export const mainUrl = new URL(baseUrl).origin;

/** Where the console of a world is, or that of the main one. */
export function consoleUrl(of?: string): string {
  return `${mainUrl}${of === undefined ? '' : `/w/${encodeURIComponent(of)}`}/__admin/`;
}

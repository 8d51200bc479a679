import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The texts of all pages of a built site, by address below its base: `/`, `/failures`. */
function builtPages(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
  return new Map(
    names.map((name) => [
      `/${name.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, '')}`,
      readFileSync(join(folder, name), 'utf8'),
    ]),
  );
}

function valuesOf(attribute: string, html: string): string[] {
  return [...html.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, 'g'))].map(([, value]) =>
    value!.replaceAll('&amp;', '&'),
  );
}

/** The links of a built site that lead nowhere: to a page, a file or a heading that is not there. */
export function brokenLinks(folder: string, base: string): string[] {
  const pages = builtPages(folder);
  const ids = new Map([...pages].map(([address, html]) => [address, new Set(valuesOf('id', html))]));
  const leadsNowhere = (href: string, from: string): boolean => {
    const { pathname, hash, host } = new URL(href, `http://site.test${base}${from.slice(1)}`);
    if (host !== 'site.test') return false;
    if (!pathname.startsWith(base)) return true;
    const address = `/${pathname.slice(base.length)}`;
    const anchors = ids.get(address);
    if (!anchors) return !existsSync(join(folder, address)) || address.endsWith('.html');
    return hash !== '' && !anchors.has(decodeURIComponent(hash.slice(1)));
  };
  return [...pages].flatMap(([from, html]) =>
    [...valuesOf('href', html), ...valuesOf('src', html)]
      .filter((href) => leadsNowhere(href, from))
      .map((href) => `${from} links to ${href}`),
  );
}

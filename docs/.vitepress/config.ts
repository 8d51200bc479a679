import { readFileSync, writeFileSync } from 'node:fs';
import { type DefaultTheme, defineConfig, type Plugin } from 'vitepress';
import { brokenLinks } from './anchors.js';
import { slugOf } from '../../spec/generate/slug.mjs';
import { repositoryMarkdown } from './markdown.js';
import { addressOf, type Entry, files, groups, moved, routeOf } from './pages.js';
import { project, root } from './project.js';
import { searchRoles } from './search-roles.js';
import { withoutGeneratedTables } from './search-text.js';

/** The icon of the console, inside each page: the site has no files but its own. */
const icon = `data:image/svg+xml,${encodeURIComponent(readFileSync(`${root}src/console/icon.svg`, 'utf8'))}`;

/** Pages above this folder find Vue where the site has it: here. */
const vue: Plugin = {
  name: 'vue-of-the-site',
  enforce: 'pre',
  resolveId(id) {
    return /^vue(\/|$)/.test(id) ? this.resolve(id, `${root}docs/.vitepress/config.ts`, { skipSelf: true }) : null;
  },
};

function itemOf({ file, title, pages }: Entry): DefaultTheme.SidebarItem {
  const item = { text: title, link: addressOf(file) };
  return pages ? { ...item, collapsed: true, items: pages.map(itemOf) } : item;
}

export default defineConfig({
  title: 'Teebox',
  description: project.description,
  lang: 'en',
  base: project.base,
  cleanUrls: true,
  // The pages are those of the repository, so that their relative links work there too.
  srcDir: '..',
  srcExclude: ['{deploy,dist,fixtures,scenarios,spec,src,templates,test}/**', '.*/**'],
  rewrites: routeOf,
  sitemap: { hostname: project.homepage },
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: icon }]],
  markdown: {
    anchor: { slugify: slugOf },
    // The usual ones have less contrast than people with weak sight need.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: repositoryMarkdown,
  },
  vite: {
    plugins: [vue, searchRoles],
    ssr: { external: ['vue', 'vue/server-renderer'] },
    resolve: { alias: [{ find: /^\.\/VPHome\.vue$/, replacement: `${root}docs/.vitepress/theme/Home.vue` }] },
  },
  themeConfig: {
    logo: icon,
    nav: [
      { text: 'Quick starts', link: addressOf('docs/quick-starts/index.md') },
      { text: 'Operations', link: addressOf('docs/operations.md') },
      { text: 'Changelog', link: addressOf('CHANGELOG.md') },
    ],
    sidebar: groups.map(({ title, entries }) => ({ text: title, items: entries.map(itemOf) })),
    outline: [2, 3],
    search: {
      provider: 'local',
      // The button is named by its text, which includes its shortcut.
      options: {
        translations: { button: { buttonAriaLabel: '' } },
        _render: (text, env, markdown) => markdown.render(withoutGeneratedTables(text), env),
      },
    },
    socialLinks: [{ icon: 'github', link: project.repository, ariaLabel: 'Repository' }],
    editLink: { pattern: `${project.repository}/edit/main/:path`, text: 'Edit this page' },
  },
  buildEnd({ outDir, site, pages }) {
    const unlisted = pages.filter((file) => !files.includes(file));
    if (unlisted.length > 0)
      throw new Error(`In no sidebar: ${unlisted.join(', ')}. Please add each to docs/.vitepress/pages.ts.`);
    for (const [from, to] of Object.entries(moved)) {
      const target = `${site.base}${to}`;
      writeFileSync(
        `${outDir}/${from}.html`,
        `<!doctype html><meta charset="utf-8"><title>Moved</title><meta http-equiv="refresh" content="0; url=${target}"><a href="${target}">Moved</a>`,
      );
    }
    const broken = brokenLinks(outDir, site.base);
    if (broken.length > 0) throw new Error(`Links that lead nowhere:\n${broken.join('\n')}`);
  },
});

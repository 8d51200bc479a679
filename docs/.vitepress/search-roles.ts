/** What the search box of the theme has wrong for those who listen to it, and what it should be. */
const mends: readonly (readonly [wrong: string, right: string])[] = [
  // The box is no button: it is a dialog.
  [
    `role="button"
      :aria-owns="results?.length ? 'localsearch-list' : undefined"
      aria-expanded="true"
      aria-haspopup="listbox"
      aria-labelledby="localsearch-label"`,
    'role="dialog" aria-modal="true" aria-label="Search"',
  ],
  [
    'aria-labelledby="localsearch-label"\n            autocapitalize',
    'aria-label="Search"\n            autocapitalize',
  ],
  [`:aria-labelledby="results?.length ? 'localsearch-label' : undefined"`, 'aria-label="Results"'],
  // A result is one thing to choose, and not a choice with a link inside. It is named by the text that it shows.
  [
    `:id="'localsearch-item-' + index"
            :aria-selected="selectedIndex === index ? 'true' : 'false'"
            role="option"`,
    'role="none"',
  ],
  [
    `:aria-label="[...p.titles, p.title].join(' > ')"`,
    `:id="'localsearch-item-' + index" role="option" :aria-selected="selectedIndex === index ? 'true' : 'false'"`,
  ],
  ['<kbd :aria-label', '<kbd role="img" :aria-label'],
  ['<span class="title-icon">', '<span class="title-icon" aria-hidden="true">'],
];

/**
 * The search box of the theme with the right roles.
 *
 * @throws {Error} when the box has changed, as with another version of the theme.
 */
function mended(code: string): string {
  return mends.reduce((text, [wrong, right]) => {
    if (!text.includes(wrong))
      throw new Error(`The search box of the theme has no \`${wrong}\` any more. Please look at it again.`);
    return text.replaceAll(wrong, right);
  }, code);
}

/** Mends the search box while the site is built. */
export const searchRoles = {
  name: 'search-roles',
  enforce: 'pre',
  transform: (code: string, id: string) => (id.endsWith('/VPLocalSearchBox.vue') ? mended(code) : undefined),
} as const;

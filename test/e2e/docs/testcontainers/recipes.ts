import { allBlocks } from '../blocks/pages.js';

const recipes = allBlocks().filter(({ page, code }) => page === 'docs/containers.md' && /testcontainers/i.test(code));

/** The recipe of the page about containers in a language, as it is shown. */
export function recipeIn(language: string): string {
  const [recipe, ...others] = recipes.filter((one) => one.language === language);
  if (!recipe || others.length > 0)
    throw new Error(`docs/containers.md has ${others.length + 1} recipes in ${language}.`);
  return recipe.code;
}

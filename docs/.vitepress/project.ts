import { readFileSync } from 'node:fs';

interface Manifest {
  readonly description: string;
  readonly homepage: string;
  readonly repository: { readonly url: string };
}

/** The root of the repository. */
export const root: string = new URL('../../', import.meta.url).pathname;

const { description, homepage, repository } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as Manifest;

/** What the project says of itself and where it is, from the manifest of the package. */
export const project = {
  description,
  homepage,
  /** The path at which the site is served, with slashes at both ends. */
  base: new URL(homepage).pathname.replace(/\/?$/, '/'),
  /** Where people read the repository. */
  repository: repository.url.replace(/^git\+/, '').replace(/\.git$/, ''),
} as const;

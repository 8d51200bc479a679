/** The addresses of every page of the console: each is checked by axe in both colour schemes. */
export const pages: readonly string[] = ['#/start'];

import { packageFile } from '../package-files.js';

/** A block of code of a page of the package, by the words before it. The tests of the pages run it. */
export async function pageBlock(page: string, before: string, language: string): Promise<string> {
  const text = (await packageFile(`dist/docs/${page}`)).toString();
  const start = text.indexOf(`\`\`\`${language}\n`, text.indexOf(before));
  const code = text.slice(start + language.length + 4);
  return code.slice(0, code.indexOf('```'));
}

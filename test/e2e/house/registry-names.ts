import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What people read or copy: pages, messages, and files for pipelines and clusters. */
const read = [
  '*.md',
  'docs',
  'deploy',
  'src',
  'templates',
  'test/examples',
  '.github/ISSUE_TEMPLATE',
  'action.yml',
  ':!CHANGELOG.md',
];

/** What asks a registry for the package or the image by its name. */
const byName = [
  /\bnpx (?:(?:--yes|-y) )?teebox\b/,
  /"npx", "args": \["(?:(?:--yes|-y)", ")?teebox"/,
  /\bnpm (?:install|i|exec|create|init)\b[^`|\n]* teebox(?![\w./-])/,
  /--package[ =]"?teebox\b/,
  /\bteebox@(?:\d|\$|latest|VERSION)/,
  /\b(?:docker|podman) (?:run|pull)\b[^`\n]* teebox\b(?!\.)/,
  /\bimage: ["']?teebox\b/,
  /\bghcr\.io\b/,
];

/** What needs a clone, or an image that was built in one. */
const byClone = [
  /\bnpx --no-install teebox\b/,
  /"--no-install", "teebox"/,
  /\bPATH\/teebox-/,
  /\blocalhost\/teebox\b/,
  /<!-- (?:un)?released\b/,
];

/** The page that says how to install Teebox. */
export const INSTALL = 'docs/command-line.md';

/** Whether the pages of a tree have not been turned to the registries yet. */
export function isUnreleased(folder: string): boolean {
  return readFileSync(join(folder, INSTALL), 'utf8').includes('<!-- unreleased -->');
}

/** The lines of a tree with names that do not fit what its page says of the registries. */
export function wrongNames(folder: string): string[] {
  const wrong = isUnreleased(folder) ? byName : byClone;
  const files = execFileSync('git', ['ls-files', '--', ...read], { cwd: folder, encoding: 'utf8' })
    .trim()
    .split('\n');
  return files
    .filter((path) => existsSync(join(folder, path)))
    .flatMap((path) => {
      const shown = readFileSync(join(folder, path), 'utf8').replaceAll(/<!-- released\n[^]*?-->/g, '');
      const lines = shown.split('\n').filter((line) => wrong.some((pattern) => pattern.test(line)));
      return lines.map((line) => `${path}: ${line.trim()}`);
    });
}

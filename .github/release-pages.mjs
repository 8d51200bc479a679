// `npm run release:pages`: turns the pages and messages to the names that the registries have, on the day of the first
// release. Until then, no command and no image may fetch what somebody else publishes under the name of Teebox. Later it
// moves the pages to the image of the present version.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const { name, version, repository } = JSON.parse(readFileSync('package.json', 'utf8'));
const [, owner] = /github\.com\/(.+)\.git$/.exec(repository.url);
const image = `ghcr.io/${owner}`;

const everywhere = [
  [/npx --no-install teebox/g, `npx ${name}`],
  [/"--no-install", "teebox"/g, `"${name}"`],
  [/PATH\/teebox-[\d.]+\.tgz/g, name],
];
const ofPages = [
  ...everywhere,
  [/<!-- unreleased -->\n[^]*?<!-- \/unreleased -->\n/g, ''],
  [/<!-- released\n([^]*?)-->\n/g, '$1'],
  [/(?:localhost|registry\.example\.com)\/teebox/g, `${image}:${version}`],
  [new RegExp(`${image}:[\\w.-]+`, 'g'), `${image}:${version}`],
];

// The test of these names has both of them.
const folders = ['README.md', 'docs', 'deploy', 'src', 'test', ':!test/e2e/house'];
const files = execFileSync('git', ['ls-files', ...folders], { encoding: 'utf8' }).split('\n');
const changed = files.filter((path) => {
  if (!/\.(?:md|tsx?|ya?ml)$/.test(path)) return false;
  const before = readFileSync(path, 'utf8');
  const replacements = /\.tsx?$/.test(path) ? everywhere : ofPages;
  const after = replacements.reduce((text, [from, to]) => text.replaceAll(from, to), before);
  if (after !== before) writeFileSync(path, after);
  return after !== before;
});
const sources = changed.filter((path) => /\.tsx?$/.test(path));
if (sources.length > 0)
  execFileSync(process.execPath, ['node_modules/oxfmt/bin/oxfmt', ...sources]);
process.stdout.write(`Changed ${changed.length} files. Please read the difference before you commit it.\n`);

// A plugin of esbuild: what a file imports from the door of a wing comes straight from the file that declares it. A door
// reaches the whole wing, and esbuild splits chunks by what files reach, not by what they use: without this, `teebox
// serve` would load the suite.
import { readFile } from 'node:fs/promises';
import { dirname, extname, relative, resolve } from 'node:path';

const named = /^(?:import|export) (type )?\{([^}]*)\} from '([^']+)';$/gm;
const namespace = /^export \* as (\w+) from '([^']+)';$/gm;
const door = /^(?:\.\.\/)+(?:common|contract|engine|conformance|certification|console|bindings|cli|hosted)\/index\.js$/;

const doors = new Map();

/** The names that a door exports, each with the file that declares it. */
function namesOf(file) {
  if (!doors.has(file))
    doors.set(
      file,
      readFile(file, 'utf8').then((text) => readDoor(text, dirname(file))),
    );
  return doors.get(file);
}

function readDoor(text, folder) {
  const names = new Map();
  for (const [, name, from] of text.matchAll(namespace)) names.set(name, { file: resolve(folder, from) });
  for (const [, , list, from] of text.matchAll(named)) {
    for (const { name, as } of elementsOf(list)) names.set(as, { file: resolve(folder, from), name });
  }
  return names;
}

function elementsOf(list) {
  return list
    .split(',')
    .map((element) => element.trim())
    .filter(Boolean)
    .map((element) => {
      const [name, as = name] = element.replace(/^type /, '').split(' as ');
      return { name, as, isType: element.startsWith('type ') };
    });
}

/** The text of a file in a folder, whose imports go past the doors; `ending` is that of the doors. */
export async function pastDoors(text, folder, ending = '.ts') {
  const namesBehind = (from) => namesOf(resolve(folder, from.replace(/\.js$/, ending)));
  const pathTo = (file) => `'${relative(folder, file).replace(/^(?!\.)/, './')}'`;
  for (const [statement, isType, list, from] of text.matchAll(named)) {
    if (!door.test(from)) continue;
    const names = await namesBehind(from);
    const keyword = statement.slice(0, statement.indexOf(' ')) + (isType ? ' type' : '');
    const lines = elementsOf(list).map(({ name: shown, as, isType: alone }) => {
      const { file, name } = names.get(shown);
      const what = name === undefined ? `* as ${as}` : `{ ${name === as ? as : `${name} as ${as}`} }`;
      return `${keyword}${alone ? ' type' : ''} ${what} from ${pathTo(file)};`;
    });
    text = text.replace(statement, () => lines.join('\n'));
  }
  for (const [whole, from, shown] of text.matchAll(/\bimport\("([^"]+)"\)\.(\w+)/g)) {
    if (!door.test(from)) continue;
    const { file, name } = (await namesBehind(from)).get(shown);
    text = text.replaceAll(whole, `import(${pathTo(file)}).${name}`);
  }
  return text;
}

export const doorsOfWings = {
  name: 'doors of wings',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.tsx?$/ }, async ({ path }) => {
      return { contents: await pastDoors(await readFile(path, 'utf8'), dirname(path)), loader: extname(path).slice(1) };
    });
  },
};

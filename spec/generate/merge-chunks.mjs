// esbuild makes a chunk for each combination of entries that share a file, and many are tiny. Merges them as long as no
// entry loads another Node module or much more code.
import { createHash } from 'node:crypto';
import { dirname, join, relative } from 'node:path/posix';
import { build, version as builder } from 'esbuild';

/** How much more an entry may load, as a part of what it loads without. What users import may be downloaded by a page. */
const MOST_MORE = { imported: 0.006, onDemand: 0.03 };

const isChunk = (path) => path.startsWith('dist/chunks/');
const pathFrom = (from, to) => relative(dirname(from), to).replace(/^(?!\.)/, './');

/** The files of a build after merging, by path: the text of each. `texts` are those of the outputs. */
export async function mergeChunks(texts, { outputs }) {
  const groups = groupsOf(texts, outputs);
  const hash = createHash('sha256').update(JSON.stringify([builder, groups]));
  for (const text of texts.values()) hash.update(text);
  // Browsers cache a chunk by its name, and the names that it imports change with each build.
  const version = hash.digest('hex').slice(0, 8);
  const places = new Map();
  for (const [index, members] of groups.entries()) {
    const path = isChunk(members[0]) ? `dist/chunks/${index.toString(36)}-${version}.js` : members[0];
    const place = { path, members, names: new Map() };
    for (const member of members) places.set(member, place);
  }
  nameExports(texts, outputs, places);
  return new Map(await Promise.all([...new Set(places.values())].map((place) => bundled(place, texts, places))));
}

/** Notes which exports of each output others import, with their names in the new file: those of an entry stay. */
function nameExports(texts, outputs, places) {
  for (const [path, { exports, entryPoint }] of Object.entries(outputs)) {
    places.get(path)?.names.set(path, new Map(entryPoint ? exports.map((name) => [name, name]) : []));
  }
  let count = 0;
  for (const [by, text] of texts) {
    for (const { from, name } of importsIn(text, by)) {
      const place = places.get(from);
      const names = place.names.get(from);
      if (place !== places.get(by) && !names.has(name)) names.set(name, `$${(count++).toString(36)}`);
    }
  }
}

/** Every name that a file imports from another. esbuild without white space writes all in one way. */
function importsIn(text, by) {
  const found = [...text.matchAll(/import\{([^}]*)\}from"(\.[^"]+)"/g)];
  return found.flatMap(([, list, from]) => {
    return list.split(',').map((one) => ({ by, from: join(dirname(by), from), name: one.split(' as ')[0] }));
  });
}

/** The paths of the outputs that become one file each. */
function groupsOf(texts, outputs) {
  const nodes = new Map(
    [...texts].map(([path, text]) => [
      path,
      { members: [path], size: text.length, next: new Set(), names: namesIn(outputs[path]) },
    ]),
  );
  const nodeOf = new Map(nodes);
  for (const [path, text] of texts) {
    for (const { path: to, kind, external } of outputs[path].imports) {
      if (kind !== 'import-statement' || !(external || text.includes(`"${pathFrom(path, to)}"`))) continue;
      // No entry may load another Node module.
      if (!nodeOf.has(to)) nodeOf.set(to, { size: Infinity, next: new Set() });
      nodeOf.get(path).next.add(nodeOf.get(to));
    }
  }
  const loads = [...nodes].flatMap(([path, node]) => {
    const own = [...reached(node)].filter(({ members }) => members);
    return outputs[path].entryPoint
      ? [{ node, left: MOST_MORE[isChunk(path) ? 'onDemand' : 'imported'] * sizeOf(own) }]
      : [];
  });
  const groups = new Set([...nodes].flatMap(([path, node]) => (isChunk(path) ? [node] : [])));
  for (const waiting = new Set(groups); waiting.size > 0;) {
    const small = [...waiting].reduce((one, other) => (one.size <= other.size ? one : other));
    waiting.delete(small);
    const into = bestPartner(small, groups, loads);
    if (!into) continue;
    for (const load of loads) load.left -= more(load, small, into);
    groups.delete(small);
    nodes.delete(small.members[0]);
    absorb(into, small, nodes, loads);
    waiting.add(into);
  }
  return [...nodes.values()].map(({ members }) => members);
}

/** The exports that a dynamic import asks for by their names. */
const namesIn = ({ entryPoint, exports }) => (entryPoint ? [...exports] : []);

/** The chunk whose merger with this one costs least; undefined if each merger exceeds the limit of an entry. */
function bestPartner(small, groups, loads) {
  let best;
  let least = Infinity;
  for (const other of groups) {
    if (other === small || other.names.some((name) => small.names.includes(name))) continue;
    if (isBetween(small, other) || isBetween(other, small)) continue;
    const costs = loads.map((load) => more(load, small, other));
    if (costs.some((cost, index) => cost > loads[index].left)) continue;
    const sum = sizeOf(costs.map((size) => ({ size })));
    if (sum < least) [best, least] = [other, sum];
  }
  return best;
}

/** How much more an entry loads if two chunks become one. */
function more({ node }, one, other) {
  const loaded = reached(node);
  if (loaded.has(one) === loaded.has(other)) return 0;
  return sizeOf([...reached(loaded.has(one) ? other : one)].filter((file) => !loaded.has(file)));
}

/** Whether one chunk imports the other by way of a third, which would import itself if they became one. */
function isBetween(one, other) {
  return [...one.next].some((third) => third !== other && reached(third).has(other));
}

function absorb(into, small, nodes, loads) {
  into.members.push(...small.members);
  into.names.push(...small.names);
  into.size += small.size;
  for (const next of small.next) into.next.add(next);
  for (const { next } of nodes.values()) if (next.delete(small)) next.add(into);
  into.next.delete(into);
  for (const load of loads) if (load.node === small) load.node = into;
  known = new WeakMap();
}

let known = new WeakMap();

/** What is loaded with a file, itself included. */
function reached(node) {
  if (!known.has(node)) known.set(node, new Set([node, ...[...node.next].flatMap((next) => [...reached(next)])]));
  return known.get(node);
}

const sizeOf = (files) => files.reduce((sum, { size }) => sum + size, 0);

/** The path and the text of a file. */
async function bundled({ path, members, names }, texts, places) {
  const pairsOf = (map) => [...map].map(([name, as]) => `${name} as ${as}`);
  const whole = members.map((member) => `export {${pairsOf(names.get(member))}} from './${member}';`);
  const renamed = (member) => {
    const { path: from, names } = places.get(member);
    const back = [...names.get(member)].map(([name, as]) => [as, name]);
    return `export {${pairsOf(back)}} from '${pathFrom(path, from)}';`;
  };
  const contentsOf = { whole: () => whole.join(''), member: (member) => texts.get(member), renamed };
  const chunks = {
    name: 'chunks',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./ }, ({ path: asked, importer, namespace, kind }) => {
        if (kind === 'entry-point') return { path: join(asked), namespace: isChunk(path) ? 'whole' : 'member' };
        const to = namespace === 'whole' ? asked.slice(2) : join(dirname(importer), asked);
        const place = asked.startsWith('.') && namespace !== 'renamed' ? places.get(to) : undefined;
        if (!place) return { path: asked, external: true };
        if (kind === 'dynamic-import') return { path: pathFrom(path, place.path), external: true };
        return { path: to, namespace: members.includes(to) ? 'member' : 'renamed' };
      });
      for (const [namespace, contents] of Object.entries(contentsOf)) {
        onLoad({ filter: /./, namespace }, (asked) => ({ contents: contents(asked.path) }));
      }
    },
  };
  const { outputFiles } = await build({
    entryPoints: [members[0]],
    bundle: true,
    format: 'esm',
    // Names stay: esbuild has chosen those that compress best over all chunks.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
    platform: 'neutral',
    target: 'node20.19',
    write: false,
    outdir: 'dist',
    plugins: [chunks],
  });
  return [path, outputFiles[0].text];
}

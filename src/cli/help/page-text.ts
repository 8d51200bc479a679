/** A part of the documentation that `teebox help TOPIC` shows. */
interface Topic {
  /** A file of the package. */
  readonly file: string;
  /** The heading of its part; without one, the whole page. */
  readonly heading?: string;
  readonly summary: string;
}

/** What `teebox help` explains. A topic that has the name of a command would never be reached. */
export const topics = {
  'getting-started': { file: 'quick-starts/curl.md', summary: 'the first day of a partner, with curl' },
  failures: { file: 'failures.md', summary: 'scenarios: inject a failure, and the state afterwards' },
  refusals: {
    file: 'failures.md',
    heading: 'Why a request was refused',
    summary: 'why a request was refused',
  },
  facilities: { file: 'facilities.md', summary: 'which facility to use for a test' },
  state: {
    file: 'state-and-worlds.md',
    heading: 'Snapshots, export and files',
    summary: 'keep and restore state',
  },
  worlds: { file: 'state-and-worlds.md', heading: 'Worlds', summary: 'run tests in parallel against one server' },
  time: { file: 'time-and-callbacks.md', heading: 'The clock', summary: 'freeze, set and move the clock' },
  callbacks: { file: 'time-and-callbacks.md', summary: 'receive, repeat and sign the results of searches' },
  dialects: { file: 'dialects.md', summary: 'open questions of the API specification, and cards with answers' },
  conformance: { file: 'conformance.md', summary: 'check a deployment: the guide to teebox check' },
  ci: { file: 'conformance.md', heading: 'In CI', summary: 'check a deployment in CI' },
  certification: { file: 'certify.md', summary: 'check a client: the guide to teebox certify' },
  traffic: { file: 'proxy.md', summary: 'check live traffic: the guide to teebox proxy' },
  capsules: { file: 'capsules.md', summary: 'keep a failure as a file, and replay it' },
  agents: { file: 'agents.md', summary: 'coding agents: the guide to teebox mcp' },
  'unit-tests': { file: 'unit-tests.md', summary: 'the sandbox in Vitest, Jest and node:test' },
  'front-ends': { file: 'front-ends.md', summary: 'the sandbox in a page, with Vite and Playwright' },
  library: { file: 'library.md', summary: 'entry points and options of the package' },
  'admin-api': { file: 'admin-api.md', summary: 'observe and control a sandbox over HTTP' },
  environment: {
    file: 'command-line.md',
    heading: 'Environment variables',
    summary: 'environment variables and their flags',
  },
  'exit-codes': { file: 'command-line.md', heading: 'Exit codes', summary: 'what the exit codes mean' },
  operations: { file: 'operations.md', summary: 'a curl command for every operation' },
  versions: { file: 'versions.md', summary: 'what differs between the versions of the API' },
  limits: { file: 'limits.md', summary: 'maximum sizes and counts' },
  troubleshooting: { file: 'troubleshooting.md', summary: 'when something is odd' },
  upgrading: { file: 'upgrading.md', summary: 'what an upgrade changes' },
} as const satisfies Readonly<Record<string, Topic>>;

export type TopicName = keyof typeof topics;
export const topicNames = Object.keys(topics) as readonly TopicName[];

const WIDTH = 88;

/** The part of a page below a heading, with that heading; the whole page without one. Undefined if there is no such heading. */
export function partOf(page: string, heading?: string): string | undefined {
  if (heading === undefined) return page;
  const lines = page.split('\n');
  const at = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading);
  if (at < 0) return undefined;
  const depth = lines[at]!.indexOf(' ');
  const end = lines.findIndex((line, index) => index > at && /^#+ /.test(line) && line.indexOf(' ') <= depth);
  return lines.slice(at, end < 0 ? undefined : end).join('\n');
}

/** A page of Markdown as text for a terminal: wrapped, with tables as lists and without links, images and HTML. */
export function pageText(markdown: string): string {
  const page = markdown.replace(/^---\n[^]*?\n---\n/, '').replaceAll(/<!--[^]*?-->\n?/g, '');
  const blocks = page.split(/^(```[^]*?^```$)/m);
  const texts = blocks.flatMap((block) => (block.startsWith('```') ? [codeText(block)] : proseTexts(block)));
  return texts.filter((text) => text !== '').join('\n\n');
}

function codeText(block: string): string {
  const lines = block.split('\n').slice(1, -1);
  return lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n');
}

function proseTexts(prose: string): string[] {
  return prose.split(/\n{2,}|(?<=^#.*)\n|\n(?=[|#])(?<!\|\n)/m).map((block) => {
    const text = block.trim();
    if (text.startsWith('|')) return tableText(text);
    if (/^#+ /.test(text)) return headingText(text);
    if (/^(?:[-*]|\d+\.) /.test(text)) return listText(text);
    return wrapped(inline(text), '');
  });
}

function headingText(line: string): string {
  const title = inline(line.replace(/^#+ /, ''));
  return `${title}\n${(line.startsWith('# ') ? '=' : '-').repeat(title.length)}`;
}

function listText(list: string): string {
  const items = list.split(/\n(?=\s*(?:[-*]|\d+\.) )/);
  return items
    .map((item) => {
      const [, space = '', mark = '', text = ''] = /^(\s*)([-*]|\d+\.) ([^]*)$/.exec(item) ?? [];
      const first = `${space}${mark} `;
      return first + wrapped(inline(text), ' '.repeat(first.length)).trimStart();
    })
    .join('\n');
}

/** Each row as its first cell, and the others below it, by the heads of their columns. */
function tableText(table: string): string {
  const cells = (line: string): string[] =>
    line
      .replace(/^\|(.*)\|\s*$/, '$1')
      .split(/(?<!\\)\|/)
      .map((cell) => inline(cell.replaceAll('\\|', '|').trim()));
  const [heads = [], , ...rows] = table.split('\n').map(cells);
  const isPair = heads.length === 2;
  return rows
    .map(([first = '', ...others]) => {
      const named = others.map((cell, at) => (isPair || cell === '' ? cell : `${heads[at + 1]}: ${cell}`));
      const lines = named.filter((cell) => cell !== '').map((cell) => wrapped(cell, '      '));
      return [`  ${first}`, ...lines].join('\n');
    })
    .join('\n');
}

/** Without images, HTML, the marks of bold words and the targets of links to other pages. */
function inline(text: string): string {
  return text
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\[([^\]]+)\]\((https?:[^)]+)\)/g, '$1 <$2>')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/\*\*([^*]+)\*\*/g, '$1')
    .replaceAll(/(?<!`[^`]*)<\/?[a-z][^>:]*>/g, '')
    .replaceAll(/^:::.*$/gm, '');
}

/** Text in lines of a width, each after an indent. */
export function wrapped(text: string, indent: string, width = WIDTH): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, indent + line].join('\n').trimEnd();
}

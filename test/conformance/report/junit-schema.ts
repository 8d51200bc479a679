/** An element of an XML document; `text` is what stands directly in it. */
export interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const token = /<(?<close>\/)?(?<tag>[a-z-]+)(?<attributes>(?: [a-zA-Z]+="[^"<]*")*)(?<empty>\/)?>|(?<text>[^<]+)/y;
const notXml = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** Parses the XML that reports are written in: elements, attributes and text, no more; anything else is refused. */
export function parseXml(xml: string): Element {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!xml.startsWith(head)) throw new Error('The document does not say what it is.');
  if (notXml.test(xml)) throw new Error('The document holds a character that XML has no place for.');
  const root = { tag: '', attributes: {}, children: [] as Element[], text: '' };
  const open = [root];
  token.lastIndex = head.length;
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex;
    const { close, tag = '', attributes = '', empty, text } = token.exec(xml)?.groups ?? {};
    if (tag === '' && text === undefined) throw new Error(`No markup at ${at}: ${xml.slice(at, at + 80)}`);
    const inner = open.at(-1)!;
    if (text !== undefined) inner.text += decoded(text);
    else if (close === undefined) {
      const element = { tag, attributes: attributesIn(attributes), children: [], text: '' };
      inner.children.push(element);
      if (empty === undefined) open.push(element);
    } else if (open.pop()!.tag !== tag) throw new Error(`</${tag}> closes another element.`);
  }
  if (open.length !== 1 || root.children.length !== 1) throw new Error('The document is not one whole element.');
  return root.children[0]!;
}

function attributesIn(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/ ([a-zA-Z]+)="([^"]*)"/g)].map(
    ([, name, value]) => [name!, decoded(value!)] as const,
  );
  if (new Set(pairs.map(([name]) => name)).size !== pairs.length) throw new Error(`An attribute stands twice:${text}`);
  return Object.fromEntries(pairs);
}

function decoded(text: string): string {
  return text.replace(/&(#\d+|\w*);?/g, (whole, name: string) => {
    const sign = name.startsWith('#') ? String.fromCodePoint(Number(name.slice(1))) : entities[name];
    if (sign === undefined || !whole.endsWith(';')) throw new Error(`${whole} is no entity.`);
    return sign;
  });
}

const some = /^[^]+$/;
const whole = /^\d+$/;
const decimal = /^\d+(\.\d+)?$/;
const any = /^[^]*$/;

interface Shape {
  readonly attributes: Readonly<Record<string, RegExp>>;
  readonly optional?: Readonly<Record<string, RegExp>>;
  /** Tags in their order, as a pattern over `tag tag tag `. */
  readonly children: RegExp;
}

/** What the schema of the Ant task, the common ground of those who read such files, asks of each element. */
const shapes: Readonly<Record<string, Shape>> = {
  testsuites: { attributes: {}, children: /^(testsuite )*$/ },
  testsuite: {
    attributes: {
      name: some,
      package: any,
      id: whole,
      timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/,
      hostname: some,
      tests: whole,
      failures: whole,
      errors: whole,
      time: decimal,
    },
    optional: { skipped: whole },
    children: /^properties (testcase )*system-out system-err $/,
  },
  properties: { attributes: {}, children: /^(property )*$/ },
  property: { attributes: { name: some, value: any }, children: /^$/ },
  testcase: {
    attributes: { name: any, classname: any, time: decimal },
    children: /^((skipped|error|failure) )?$/,
  },
  failure: { attributes: { type: any }, optional: { message: any }, children: /^$/ },
  error: { attributes: { type: any }, optional: { message: any }, children: /^$/ },
  skipped: { attributes: {}, optional: { message: any }, children: /^$/ },
  'system-out': { attributes: {}, children: /^$/ },
  'system-err': { attributes: {}, children: /^$/ },
};

/** What an element breaks of the schema, and those in it. */
export function junitFaults({ tag, attributes, children, text }: Element, path = tag): string[] {
  const shape = shapes[tag];
  if (!shape) return [`${path} is not of the format`];
  const { optional = {} } = shape;
  const known = { ...shape.attributes, ...optional };
  const order = children.map((child) => `${child.tag} `).join('');
  return [
    ...Object.keys(shape.attributes).flatMap((name) => (name in attributes ? [] : [`${path}@${name} is missing`])),
    ...Object.entries(attributes).flatMap(([name, value]) => {
      const pattern = known[name];
      if (!pattern) return [`${path}@${name} is not of the format`];
      return pattern.test(value) ? [] : [`${path}@${name} is ${value}`];
    }),
    ...(shape.children.test(order) ? [] : [`${path} holds ${order.slice(0, 60)}`]),
    ...(children.length > 0 && text.trim() !== '' ? [`${path} mixes text and elements`] : []),
    ...children.flatMap((child, index) => junitFaults(child, `${path}/${child.tag}[${index}]`)),
  ];
}

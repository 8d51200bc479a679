import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { Marked } from 'marked';
import { SaxesParser } from 'saxes';
import { beforeAll, describe, expect, test } from 'vitest';
import { fileReporters } from '../../../src/conformance/report/index.js';
import { githubAnnotations } from '../../../src/conformance/report/index.js';
import type { Exchange } from '../../../src/conformance/client/exchange.js';
import type { RecordedRun } from '../../../src/conformance/report/recorder.js';
import { TerminalReporter } from '../../../src/conformance/report/terminal.js';
import { withTexts } from '../../../src/conformance/run/summary/values.js';
import { consoleLine, visible, visibleJson } from '../../../src/common/visible.js';
import { anyCharacter } from '../../support/any-text.js';
import type { Layer } from '../deployment.js';
import { recorded } from '../recorded.js';

const MARK = 'Foreign';
/** Markup, commands and hidden characters that a deployment could put into any of its texts. */
const tricks: readonly string[] = [
  '![x](http://evil.test/x.png)',
  '[click](http://evil.test)',
  '[click][ref]\n\n[ref]: http://evil.test',
  '<http://evil.test>',
  'http://evil.test/a_b_c',
  'www.evil.test',
  'evil.com/path',
  'mail@evil.test',
  'mailto:mail@evil.test',
  '<img src=x onerror=alert(1)>',
  '<a href="http://evil.test">a</a>',
  '<!-- --> <script>alert(1)</script>',
  '`code` <img src=x> `more`',
  '``<img src=x>``',
  '`` ` <img src=x>',
  'a`b ![x](y) c',
  '\\`<img src=x>\\`',
  '| a | b |\n| --- | --- |\n| ![x](y) | [a](b) |',
  'a \\| ![x](y) | b',
  '\n\n    indented ![x](y)',
  '\n```\n![x](y)\n```\n[a](b)',
  '\n~~~\n',
  '- ![x](y)',
  '1. [a](b)',
  '> <img src=x>',
  '# [a](b)',
  '&lt;img src=x&gt; &#33;[x](y)',
  '[^1]\n\n[^1]: [a](b)',
  '![x\u200b](y)',
  '\n::error::planted',
  '  ::set-output name=a::b',
  'a ##[error]planted and ##vso[task.complete result=Failed;]',
  '\r::warning file=a,line=1::planted',
  '\u001b[2J\u001b]0;title\u0007\b\u009b31m',
  '\u202eevil\u2066 \u2028 \u2029 \u200b \ufeff \ud800',
  ']]> <failure message="planted"/>',
];

let plain: RecordedRun;
beforeAll(async () => {
  const quoting: Layer = async (request, through) => {
    const answer = await through(request);
    if (!request.url.endsWith('countries')) return answer;
    return Response.json({ success: true, data: [MARK, 7], more: MARK }, { headers: { 'x-text': MARK } });
  };
  const { run } = await recorded({ only: ['countries.*'], depth: 'quick' }, quoting);
  const { report, exchanges, version } = run;
  const [first] = report.rules.filter(({ verdict }) => verdict === 'fail');
  // A finding, an answer, a reason and a place may all quote the deployment.
  const quoted = { ...first!, message: MARK, actual: { [MARK]: MARK }, expected: MARK, at: `/${MARK}`, missing: MARK };
  const rules = report.rules.map((rule) => (rule === first ? quoted : { ...rule, missing: MARK }));
  const place = { place: MARK, operation: 'v3.listCountries', exchange: 'x1' } as const;
  const litter = { kind: 'perhaps', channel: 'first', what: MARK, exchange: 'x1' } as const;
  const unjudged = [{ method: 'GET', url: `http://a/${MARK}`, why: MARK }];
  plain = {
    report: { ...report, message: MARK, rules, unknownProperties: [place], litter: [litter], unjudged },
    // The reports are written hundreds of times: an answer that quotes and one that does not are as good as fifty.
    exchanges: new Map(['countries', 'facilities'].flatMap((name) => entryOf(exchanges, name))),
    version,
  };
});

/** The first exchange with a path that ends so. */
const entryOf = (exchanges: RecordedRun['exchanges'], end: string): [string, Exchange][] =>
  [...exchanges].filter(([, { request }]) => new URL(request.url).pathname.endsWith(end)).slice(0, 1);

/** The run of a deployment that says this instead. */
function runWith(text: string): RecordedRun {
  const said = <T>(value: T): T => withTexts(value, (one) => one.replaceAll(MARK, () => text)) as T;
  return { ...plain, report: said(plain.report), exchanges: new Map(said([...plain.exchanges])) };
}

const hidden = /[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const piece = fc.oneof(fc.constantFrom(...'[]()!<>`~|\\\n :/@#.&*_-'), fc.constantFrom(...tricks));
const hostile = fc
  .oneof(
    fc.string({ unit: anyCharacter, maxLength: 40 }),
    fc.array(piece, { maxLength: 6 }).map((all) => all.join('')),
  )
  .filter((text) => text.trim() !== '');
const everywhere = (holds: (run: RecordedRun) => void): void => {
  for (const trick of tricks) holds(runWith(trick));
  fc.assert(
    fc.property(hostile, (text) => void holds(runWith(text))),
    { numRuns: 30 },
  );
};

describe('Markdown of foreign text has no link, no image and no HTML', () => {
  const commonMark = new MarkdownIt({ html: true, linkify: true });
  const gfm = new Marked({ gfm: true });
  test.each<[name: string, render: (markdown: string) => string]>([
    ['markdown-it', (markdown) => commonMark.render(markdown)],
    ['marked', (markdown) => gfm.parse(markdown, { async: false })],
  ])('by %s', (_, render) => {
    const shapeOf = (page: string): string[] => page.match(/<\/?(?!code|em|strong)[a-z!][^>]*>/gi) ?? [];
    const shape = shapeOf(render(fileReporters.markdown(plain)));
    everywhere((run) => {
      const page = render(fileReporters.markdown(run));
      expect(page).not.toMatch(/<(a|img|script|input)\b/i);
      expect(shapeOf(page)).toEqual(shape);
    });
  });

  test('nor a mention, or a reference that GitHub would link: such words are code', () => {
    for (const word of ['@somebody', '#12', 'owner/repo#12', 'GH-12', 'a1b2c3d4e5f6a7b8c9d0a1b2c3d4e5f6a7b8c9d0']) {
      const page = commonMark.render(fileReporters.markdown(runWith(`see ${word}, please`)));
      expect(page.replace(/<(code|pre)[^]*?<\/\1>/g, '')).not.toContain(word);
    }
  });

  test('words between backticks are code, and those around them are not', () => {
    const message = 'With `limit=2`, the answer has 3_000 records in `data.records`.';
    const page = commonMark.renderInline(fileReporters.markdown(runWith(message)));
    expect(page).toContain(message.replace(/`(.*?)`/g, '<code>$1</code>'));
  });

  test('a number with decimals stays as it is', () => {
    expect(fileReporters.markdown(runWith('failed (5.1%; at most 2%)'))).toContain('failed (5.1%; at most 2%)');
  });
});

test('JUnit of foreign text is well-formed, and has no element of it', () => {
  const elementsOf = (xml: string): string[] => {
    const names: string[] = [];
    const parser = new SaxesParser();
    parser.on('opentag', ({ name }) => names.push(name));
    parser.on('error', (error) => {
      throw error;
    });
    parser.write(xml).close();
    return names;
  };
  const names = elementsOf(fileReporters.junit(plain));
  everywhere((run) => expect(elementsOf(fileReporters.junit(run))).toEqual(names));
});

test('no report has a hidden character', () => {
  everywhere((run) => {
    for (const write of Object.values(fileReporters)) expect(write(run)).not.toMatch(hidden);
    for (const line of githubAnnotations(run)) expect(line).not.toMatch(hidden);
    JSON.parse(fileReporters.json(run));
  });
});

test('no line on the terminal is a command, or has anything hidden but our own colours', () => {
  for (const colour of [false, true]) {
    everywhere((run) => {
      const lines: string[] = [];
      const terminal = new TerminalReporter({ line: (text) => void lines.push(text), colour });
      for (const exchange of run.exchanges.values()) terminal.onEvent({ type: 'exchange', exchange });
      terminal.onEvent({ type: 'end', report: run.report });
      const isPlain = (line: string): boolean => {
        const [first, ...coloured] = line.split('\u001B');
        const uncoloured = [first, ...coloured.map((part) => part.replace(/^\[\d+m/, ''))].join('');
        if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(uncoloured) || /^\s*::|##\[|##vso\[/.test(line)) return false;
        return coloured.length === 0 || colour;
      };
      expect(lines.filter((line) => !isPlain(line))).toEqual([]);
    });
  }
});

test('annotations of GitHub escape their syntax', () => {
  everywhere((run) => {
    for (const line of githubAnnotations(run)) {
      expect(line).toMatch(/^::(error|warning) title=[^:,\n\r]+::[^\n\r]+$/);
      expect(line.replace(/%(25|0A|0D|3A|2C)/g, '')).not.toContain('%');
    }
  });
});

test.each<[text: string, shown: string]>([
  ['\u001b[31mred', '\\u{1b}[31mred'],
  ['a\r\nb\tc\b', 'a\\u{d}\\u{a}b\\u{9}c\\u{8}'],
  ['\u009b \u202e \u2028 \u200b \ud800', '\\u{9b} \\u{202e} \\u{2028} \\u{200b} \\u{d800}'],
  ['::error::x', '\\u{3a}:error::x'],
  [' \u00a0::error::x', ' \u00a0\\u{3a}:error::x'],
  ['a ##[group]b ##vso[x]', 'a \\u{23}#[group]b \\u{23}#vso[x]'],
  ['Zürich, 東京, 🏌, a::b, ## c', 'Zürich, 東京, 🏌, a::b, ## c'],
])('%j is shown as %s', (text, shown) => {
  expect(consoleLine(text)).toBe(shown);
});

test('JSON stays the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: anyCharacter }), (value) => {
      expect(JSON.parse(visibleJson(value, 2))).toEqual(JSON.parse(JSON.stringify(value)));
      expect(visible(visibleJson(value))).toBe(visibleJson(value));
    }),
  );
});

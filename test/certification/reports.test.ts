import { beforeAll, describe, expect, test } from 'vitest';
import {
  certify,
  type Certification,
  type CertifyEvent,
  type ExamEnvironment,
} from '../../src/certification/library.js';
import { baselineOfClient } from '../../src/certification/known-obligations.js';
import { certificateHtml } from '../../src/certification/certificate.js';
import { asExchange } from '../../src/certification/report.js';
import { certifyAnnotations } from '../../src/certification/report.js';
import { certifyReporters } from '../../src/certification/report.js';
import { CertifyTerminal } from '../../src/certification/terminal.js';
import { compareCertifications } from '../../src/certification/verification.js';
import { type Element, junitFaults, parseXml } from '../conformance/report/junit-schema.js';
import { sarifFaults } from '../conformance/report/sarif-schema.js';
import { harFaults } from '../support/network/har.js';

const EVIL = `</script><img src=x onerror=alert(1)> "Links" & 'Dunes' ]]> \u0007 \`x\` | [a](javascript:b)\n::error::planted`;
const SECRET = 'secret-of-the-partner';

/** Refreshes its token, with a body of some type, and asks for a path that nobody documented. */
const client =
  (contentType: string) =>
  async ({ fetch, baseUrl, refreshToken }: ExamEnvironment) => {
    const body = JSON.stringify({ refresh_token: refreshToken, note: EVIL });
    const headers = { 'content-type': contentType, authorization: `Bearer ${SECRET}` };
    await fetch(`${baseUrl}/api/v3/token/refreshToken`, { method: 'POST', headers, body });
    return { ok: contentType === 'application/json', said: EVIL };
  };

const only = ['requests.content-type', 'requests.no-secret-in-url'];
const events: CertifyEvent[] = [];
const runs: Record<string, Certification> = {};
beforeAll(async () => {
  const taking = { exams: ['happy-day'], only, host: { now: () => Date.UTC(2026, 10, 22) }, version: '1.2.3' };
  const named = { ...taking, client: { name: EVIL, command: 'npm test' } };
  runs['good'] = await certify({ ...named, attempt: client('application/json') });
  runs['bad'] = await certify({ ...named, attempt: client('text/plain'), onEvent: (event) => events.push(event) });
  const known = [{ id: 'requests.content-type', issue: '#7', until: '2027-01-01' }, { id: only[1]! }];
  runs['known'] = await certify({ ...named, known, attempt: client('text/plain') });
  runs['empty'] = await certify({ ...taking, attempt: async () => ({}) });
});
const names = ['good', 'bad', 'known', 'empty'];
const failed = ({ obligations }: Certification): string[] =>
  obligations.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

test('the runs differ in what they have to tell', () => {
  expect(names.map((name) => runs[name]!.exitCode)).toEqual([0, 1, 1, 4]);
  expect(names.map((name) => failed(runs[name]!).length)).toEqual([0, 1, 1, 0]);
  expect(runs['known']!.stale).toEqual([only[1]]);
  expect(runs['empty']!.counts['not-seen']).toBe(2);
});

describe.each(names)('the %s run', (name) => {
  test('as JUnit: of the form, red exactly where the exit code is', () => {
    const suites = parseXml(certifyReporters.junit(runs[name]!, []));
    expect(junitFaults(suites)).toEqual([]);
    const cases = suites.children.flatMap(({ children }: Element) => children.filter(({ tag }) => tag === 'testcase'));
    expect(cases.map(({ attributes }) => attributes['name'])).toEqual(expect.arrayContaining(only));
    const red = cases.filter(({ children }) => children.some(({ tag }) => tag !== 'skipped'));
    expect(red.length > 0).toBe(runs[name]!.exitCode !== 0);
  });

  test('as SARIF: of the form, a result for each broken obligation', () => {
    const log = JSON.parse(certifyReporters.sarif(runs[name]!, []));
    expect(sarifFaults(log)).toEqual([]);
    const [{ results, tool }] = log.runs;
    expect(results.map(({ ruleId }: any) => ruleId)).toEqual(failed(runs[name]!));
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
  });

  test('as HTML, and as a certificate: nothing that is fetched or run, nothing of the client as markup', () => {
    for (const page of [certifyReporters.html(runs[name]!, []), certificateHtml(runs[name]!)]) {
      expect(page).toContain("default-src 'none'");
      expect(page).not.toMatch(/<(script|link|img|iframe|object|form)|\s(src|on\w+)="|url\(|@import/i);
      for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(page.split(` id="${id}"`)).toHaveLength(2);
      for (const { statement } of runs[name]!.obligations) expect(page).toContain(statement.split('`')[0]);
    }
  });

  test('as JSON: the certification itself; nowhere a secret', () => {
    const { form, ...rest } = JSON.parse(certifyReporters.json(runs[name]!, []));
    expect(form).toBe(1);
    expect(rest).toEqual(JSON.parse(JSON.stringify(runs[name])));
    const texts = Object.values(certifyReporters).map((format) => format(runs[name]!, []));
    for (const text of [...texts, certificateHtml(runs[name]!)]) expect(text).not.toContain(SECRET);
  });

  test('in GitHub and Markdown: no command and no markup of the client', () => {
    const lines = certifyAnnotations(runs[name]!);
    expect(lines.length > 0).toBe(runs[name]!.exitCode !== 0);
    for (const line of lines) expect(line).toMatch(/^::error title=[^\n]*$/);
    const markdown = certifyReporters.markdown(runs[name]!, []);
    expect(markdown).not.toMatch(/^::error::planted|[^`\\]<img|\n\n\n/m);
    expect(markdown.startsWith(runs[name]!.exitCode === 0 ? '## ✅' : '## ❌')).toBe(true);
  });
});

test('HAR has all that was sent', () => {
  const traffic = events.flatMap((event) => ('exchange' in event ? [asExchange(event.exchange!)] : []));
  const har = JSON.parse(certifyReporters.har(runs['bad']!, traffic));
  expect(harFaults(har)).toEqual([]);
  expect(har.log.entries.map((entry: any) => entry['_id'])).toEqual(['happy-day/req-1']);
});

test('the terminal shows a broken obligation in full, and what would let the others be seen', () => {
  const shown = (name: string): string => {
    const lines: string[] = [];
    const terminal = new CertifyTerminal({ line: (text) => void lines.push(text), colour: false }, (text) =>
      lines.push(text),
    );
    if (name === 'bad') for (const event of events) terminal.onEvent(event);
    else terminal.onEvent({ type: 'end', certification: runs[name]! });
    return lines.join('\n');
  };
  const { obligations } = runs['bad']!;
  const { statement, message, expected, source } = obligations.find(({ verdict }) => verdict === 'fail')!;
  for (const text of [statement, message, expected, source!.section, 'FAIL requests.content-type', '(happy-day/req-1)'])
    expect(shown('bad')).toContain(text);
  expect(shown('bad')).not.toMatch(/^::error/m);
  expect(shown('bad')).not.toContain('\u0007');
  for (const { toSee } of runs['empty']!.obligations) expect(shown('empty')).toContain(toSee);
});

test.each([
  [undefined, 4000, '74 more exams, which will take about 5 min at 4.0 s each.'],
  [4, 400, '74 more exams, which will take about 7.4 s at 400 ms each and 4 at a time.'],
])('with %s at a time, it says how long the exams will take', (jobs, durationMs, line) => {
  const lines: string[] = [];
  const terminal = new CertifyTerminal({ line: () => {}, colour: false }, (text) => void lines.push(text), jobs);
  const [first, ...others] = Array.from({ length: 76 }, (_, index) => ({
    id: index === 0 ? 'happy-day' : `exam-${index}`,
    title: '',
    does: '',
    shows: [],
  }));
  const begin = (exam: string): void =>
    terminal.onEvent({ type: 'exam', exam, state: 'begun', baseUrl: '', results: () => [] });
  terminal.onEvent({ type: 'start', exams: [first!, ...others], obligations: [] });
  begin('happy-day');
  terminal.onEvent({ type: 'exam', exam: 'happy-day', state: 'ended', results: [], client: { ok: true }, durationMs });
  terminal.onEvent({ type: 'skipped', skipped: [{ id: 'exam-75', why: 'It reads no prices.' }] });
  begin('exam-1');
  begin('exam-2');
  expect(lines.slice(2)).toEqual([line]);
});

test('a repetition is confirmed, and what differs is said', () => {
  const { good, bad, empty } = runs as Record<'good' | 'bad' | 'empty', Certification>;
  expect(compareCertifications(good, { ...good, at: '2027-01-01T00:00:00.000Z' })).toMatchObject({ isSame: true });
  const { isSame, differences } = compareCertifications(good, bad);
  expect(isSame).toBe(false);
  expect(differences).toEqual([
    'Exam happy-day was pass; now it is fail.',
    'Obligation requests.content-type was pass; now it is fail.',
  ]);
  expect(compareCertifications(good, empty).differences).toContain('Exam happy-day was pass; now it is not-seen.');
});

test('a baseline of a run lists its failures, and keeps issues and dates', () => {
  expect(baselineOfClient(runs['bad']!.obligations)).toEqual({ known: [{ id: 'requests.content-type' }] });
  expect(baselineOfClient(runs['known']!.obligations)).toEqual({
    known: [{ id: 'requests.content-type', issue: '#7', until: '2027-01-01' }],
  });
});

describe('the summary', () => {
  const linesOf = (certification: Certification): string[] => {
    const lines: string[] = [];
    const terminal = new CertifyTerminal({ line: (text) => void lines.push(text), colour: false }, () => {});
    terminal.onEvent({ type: 'end', certification });
    return lines;
  };
  /** The bad run as if it had broken others as well, in so many exams. */
  const broken = (...others: readonly [id: string, severity: string, exams: number, known?: true][]): Certification => {
    const { obligations, ...rest } = runs['bad']!;
    const [one] = obligations;
    const made = others.map(([id, severity, exams, known]) => ({
      ...one!,
      id,
      severity,
      verdict: 'fail',
      message: `It broke ${id}.`,
      exams: Array(exams).fill('happy-day'),
      ...(known ? { known: [{ id }] } : {}),
    }));
    const exams = rest.exams.map((exam) => ({ ...exam, client: { ok: true } }));
    return { ...rest, exams, obligations: made as unknown as Certification['obligations'] };
  };

  test('shows three findings in full, by severity and then by exams, the others with a line, and what to do next', () => {
    const lines = linesOf(
      broken(
        ['a.minor', 'minor', 9],
        ['b.major', 'major', 2],
        ['c.major', 'major', 5],
        ['d.critical', 'critical', 1],
        ['e.known', 'critical', 9, true],
      ),
    );
    const heads = lines.filter((line) => line.startsWith('FAIL '));
    expect(heads).toEqual([
      'FAIL d.critical',
      'FAIL c.major',
      'FAIL b.major',
      'FAIL a.minor, minor: It broke a.minor.',
      'FAIL e.known (known), critical: It broke e.known.',
    ]);
    const again = 'npx --no-install teebox certify --exams happy-day --only d.critical -- npm test';
    expect(lines.filter((line) => line.includes(again))).toHaveLength(2);
    const rest = 'Then fix the other 3 in the same way.';
    expect(lines.at(-2)).toBe(`next: Fix d.critical, and check it with ${again}. ${rest}`);
    expect(lines.at(-1)).toMatch(/^not-ready: /);
  });

  test('names the world of the run in its commands, if it is another one', () => {
    const lines = linesOf({ ...broken(['d.critical', 'critical', 1]), seed: 3, facilities: 8 });
    const again = '--exams happy-day --only d.critical --seed 3 --facilities 8 -- npm test';
    expect(lines.filter((line) => line.includes(again))).toHaveLength(2);
  });

  test('says what to do where tests fail on the happy day, and where too little was seen', async () => {
    const taking = { host: { now: () => 0 }, client: { command: 'npm test' } };
    const failing = await certify({ ...taking, attempt: async () => ({ ok: false, said: 'exit code 5: no token' }) });
    expect(linesOf(failing).slice(-2)).toEqual([
      expect.stringContaining('npx --no-install teebox certify --exams happy-day --show-output -- npm test'),
      expect.stringContaining('exit code 5: no token. So no other exam was taken: fix that first.'),
    ]);
    const silent = await certify({ ...taking, attempt: async () => ({ ok: true }) });
    const lines = linesOf(silent);
    expect(lines).toContainEqual(expect.stringMatching(/^next: Extend the tests: 50 obligations were not seen, and /));
    expect(lines).toContain('  and 47 more');
  });

  test('shows the calls of a finding as they were sent, with the names of their tests', async () => {
    let time = Date.UTC(2026, 5, 1);
    const bad = await certify({
      host: { now: () => 0 },
      clock: () => (time += 1000),
      exams: ['happy-day'],
      only,
      async attempt({ fetch, baseUrl, refreshToken }) {
        const send = (test: string, body: RequestInit['body']): Promise<Response> => {
          const headers = { 'content-type': 'text/plain', 'teebox-test': test };
          const init = { method: 'POST', headers, body, duplex: 'half' };
          return fetch(`${baseUrl}/api/v3/token/refreshToken`, init as RequestInit);
        };
        const text = JSON.stringify({ refresh_token: refreshToken });
        let end = (): void => {};
        const start = (controller: ReadableStreamDefaultController): void => {
          end = () => {
            controller.enqueue(new TextEncoder().encode(text));
            controller.close();
          };
        };
        const first = send('begins first', new ReadableStream({ start }));
        await send('ends first', text);
        end();
        await first;
        return { ok: false };
      },
    });
    const requests = linesOf(bad).filter((line) => line.startsWith('  request:'));
    expect(requests.map((line) => /test "([^"]*)"/.exec(line)?.[1])).toEqual(['begins first', 'ends first']);
  });
});

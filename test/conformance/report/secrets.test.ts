import { expect, test } from 'vitest';
import type { CheckEvent } from '../../../src/conformance/client/types.js';
import { testOf } from '../../../src/conformance/explore/story.js';
import { annotations } from '../../../src/conformance/report/github.js';
import { exploreReport, exploreReporters } from '../../../src/conformance/report/explore-report.js';
import { fileReporters, Recorder, reportFormats } from '../../../src/conformance/index.js';
import { summarize } from '../../../src/conformance/report/terminal.js';
import { deploy, type Layer } from '../deployment.js';
import { exploreSandbox } from '../explore/deployments.js';
import { echoes, leaksIn } from '../../support/secrets.js';

const [gate, cookie] = ['GATE/secret+4711', 'set-COOKIE-of-9"9'];
const HEADERS = { 'X-Gate': gate };

/** A deployment that sets a cookie, and puts every secret that it got, in every shape, into some answers. */
function echoing(of: RegExp, echo: (url: string, text: string, shapes: readonly string[]) => unknown) {
  const secrets = new Set([gate, cookie]);
  const layer: Layer = async (request, through) => {
    const authorization = request.headers.get('authorization') ?? '';
    if (authorization !== '') secrets.add(authorization.replace(/^\w+ /, ''));
    const response = await through(request);
    const headers = new Headers(response.headers);
    headers.set('set-cookie', `sid=${encodeURIComponent(cookie)}; Path=/`);
    const { status } = response;
    if (!of.test(request.url)) return new Response(response.body, { status, headers });
    const shapes = [...[...secrets].flatMap((secret) => Object.values(echoes(secret))), authorization];
    return Response.json(echo(request.url, await response.text(), shapes), { status, headers });
  };
  return { secrets, layer };
}

test('no output of a check contains a secret that the deployment echoes', async () => {
  const { secrets, layer } = echoing(/countries/, (_, __, data) => ({ success: true, data }));
  const { check, sandbox } = await deploy({}, layer);
  for (const { password } of sandbox.channels) secrets.add(password);
  const recorder = new Recorder();
  const events: CheckEvent[] = [];
  await check({
    headers: HEADERS,
    depth: 'quick',
    only: ['countries.*', 'auth.*'],
    allow: [],
    onEvent: (event) => {
      recorder.onEvent(event);
      events.push(event);
    },
  });
  const texts = {
    events: JSON.stringify(events),
    ...Object.fromEntries(reportFormats.map((format) => [format, fileReporters[format](recorder.run)])),
  };
  expect(leaksIn(texts, secrets)).toEqual([]);
  expect(texts.events).toContain('***');
});

test('no report of a check contains a secret that was shown before it was known', async () => {
  const secret = 'later-TOKEN/4711+x';
  let answers = 0;
  const layer: Layer = async (request, through) => {
    const response = await through(request);
    if (!/countries/.test(request.url)) return response;
    answers += 1;
    const headers = new Headers(response.headers);
    if (answers > 3) headers.set('set-cookie', `sid=${encodeURIComponent(secret)}`);
    const data = answers > 3 ? [] : [...Object.values(echoes(secret)), { [secret]: 7 }];
    return Response.json({ success: true, data }, { status: response.status, headers });
  };
  const { check } = await deploy({}, layer);
  const recorder = new Recorder();
  const events: CheckEvent[] = [];
  const only = ['countries.*', 'auth.*'];
  await check({
    only,
    allow: [],
    onEvent: (event) => {
      recorder.onEvent(event);
      events.push(structuredClone({ ...event, mask: undefined }) as CheckEvent);
    },
  });
  expect(answers).toBeGreaterThan(3);
  // It was shown when it was no secret yet.
  expect(leaksIn({ events: JSON.stringify(events) }, [secret])).not.toEqual([]);
  const texts = Object.fromEntries(reportFormats.map((format) => [format, fileReporters[format](recorder.run)]));
  expect(leaksIn(texts, [secret])).toEqual([]);
  expect(texts['har']).toContain('***');
});

/** Gives the first tee sheet of each address again and again, whatever is booked. */
function firstSheets(): (url: string, text: string) => object {
  const sheets = new Map<string, string>();
  return (url, text) => {
    if (!sheets.has(url)) sheets.set(url, text);
    return JSON.parse(sheets.get(url)!);
  };
}

test('no output of explore contains a secret that the deployment echoes', { tags: ['slow'] }, async () => {
  const sheets = firstSheets();
  const { secrets, layer } = echoing(/teetimes\//, (url, text, note) => ({ note, ...sheets(url, text) }));
  const run = { headers: HEADERS, seed: 1, walks: 1, shrink: 0 };
  const exploration = await exploreSandbox(run, {}, layer);
  const texts = outputsOf(exploration);
  expect(leaksIn(texts, secrets)).toEqual([]);
  expect(texts['whole']).toContain('***');
});

test('no output of explore contains a secret that was shown before it was known', { tags: ['slow'] }, async () => {
  const secret = 'later-TOKEN/4711+x';
  let answers = 0;
  const sheets = firstSheets();
  const note = Object.values(echoes(secret));
  const { layer: deaf } = echoing(/teetimes\//, (url, text) => ({ note, ...sheets(url, text) }));
  const layer: Layer = async (request, through) => {
    const response = await deaf(request, through);
    // The last answer of the walk that the findings are of.
    if ((answers += 1) === last) response.headers.set('set-cookie', `sid=${encodeURIComponent(secret)}`);
    return response;
  };
  let last = 0;
  const run = { headers: HEADERS, seed: 1, walks: 1, shrink: 0 };
  expect(leaksIn(outputsOf(await exploreSandbox(run, {}, layer)), [secret])).not.toEqual([]);
  [last, answers] = [answers, 0];
  const exploration = await exploreSandbox(run, {}, layer);
  expect(answers).toBe(last);
  expect(leaksIn(outputsOf(exploration), [secret])).toEqual([]);
});

function outputsOf(exploration: Awaited<ReturnType<typeof exploreSandbox>>): Record<string, string> {
  const { findings, litter, target } = exploration;
  expect(findings.length).toBeGreaterThan(0);
  const lines: string[] = [];
  const model = exploreReport(exploration, '1.2.3');
  summarize(model, { line: (text: string) => void lines.push(text), colour: false, quiet: false });
  return {
    whole: JSON.stringify(exploration),
    terminal: lines.join('\n'),
    annotations: annotations(model).join('\n'),
    leftovers: JSON.stringify(litter),
    ...Object.fromEntries(reportFormats.map((format) => [format, exploreReporters[format](exploration, '1.2.3')])),
    ...Object.fromEntries(
      findings.map(({ walk, story }, at) => [
        `test ${at}`,
        testOf(walk, story, { baseUrl: target.baseUrl, allow: [] }),
      ]),
    ),
  };
}

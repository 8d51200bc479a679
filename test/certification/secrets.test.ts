import { expect, test } from 'vitest';
import { certificateHtml } from '../../src/certification/certificate.js';
import { certify, type CertifyEvent, type ExamEnvironment } from '../../src/certification/library.js';
import { asExchange, certifyAnnotations, certifyReporters } from '../../src/certification/report.js';
import { RunTraffic } from '../../src/certification/run-traffic.js';
import { CertifyTerminal } from '../../src/certification/terminal.js';
import { leaksIn, echoes } from '../support/secrets.js';

const [bearer, password, cookie, query, gate, refresh, callback] = [
  'abc.CLIENT-SECRET-0815.def',
  'pass"word&<0815>',
  'session-COOKIE-99',
  'API key/of=query',
  'GATE/secret+4711',
  'refresh-TOKEN-one',
  'callback/TOKEN+two',
];
const secrets = [bearer, password, cookie, query, gate, refresh, callback];

/** Sends its secrets in every place in which a client does, and repeats them where they do not belong. */
async function client({ fetch, baseUrl }: ExamEnvironment) {
  const basic = `Basic ${Buffer.from(`fairway:${password}`).toString('base64')}`;
  const repeated = secrets.flatMap((secret) => Object.values(echoes(secret)));
  const json = { 'content-type': 'application/json' };
  const target = `https://partner.example/done?token=${encodeURIComponent(callback)}`;
  const search = `facilityIds=1001&fromDate=x&toDate=x&players=1&holes=18&callbackUrl=${encodeURIComponent(target)}`;
  await fetch(`${baseUrl}/api/v5/teetimes?${search}`, { headers: { authorization: `Bearer ${bearer}` } });
  await fetch(`${baseUrl}/api/v3/countries?api_key=${encodeURIComponent(query)}`, {
    headers: { cookie: `sid=${cookie}` },
  });
  await fetch(`${baseUrl}/api/v3/countries`, { headers: { authorization: basic, 'x-gate-token': gate } });
  const body = JSON.stringify({ refresh_token: refresh, note: repeated });
  await fetch(`${baseUrl}/api/v3/token/refreshToken`, {
    method: 'POST',
    headers: json,
    body,
  });
  for (const secret of secrets) {
    const path = encodeURIComponent(secret);
    await fetch(`${baseUrl}/api/v3/facilities?country=${path}&connected=${path}`, {
      headers: { authorization: basic },
    });
    await fetch(`${baseUrl}/api/v5/${path}`, { headers: { ...json, authorization: basic, 'x-trace': path } });
    const order = JSON.stringify({ teeTimes: repeated, comments: secret, contact: { firstName: secret } });
    await fetch(`${baseUrl}/api/v5/bookings`, {
      method: 'POST',
      headers: { ...json, authorization: basic },
      body: order,
    });
  }
  return { ok: false };
}

test('no output of certify contains a secret of the requests', async () => {
  const events: CertifyEvent[] = [];
  const lines: string[] = [];
  const terminal = new CertifyTerminal({ line: (text) => void lines.push(text), colour: false }, () => {});
  const result = await certify({
    exams: ['happy-day'],
    host: { now: () => Date.UTC(2026, 10, 22) },
    version: '1.2.3',
    client: { name: 'shop', command: 'npm test' },
    attempt: client,
    onEvent: (event) => {
      events.push(event);
      terminal.onEvent(event);
    },
  });
  const traffic = events.flatMap((event) => ('exchange' in event ? [asExchange(event.exchange!)] : []));
  const texts = {
    whole: JSON.stringify(result),
    events: JSON.stringify(events),
    terminal: lines.join('\n'),
    certificate: certificateHtml(result),
    annotations: certifyAnnotations(result).join('\n'),
    ...Object.fromEntries(Object.entries(certifyReporters).map(([format, write]) => [format, write(result, traffic)])),
  };
  expect(leaksIn(texts, secrets)).toEqual([]);
  expect(result.exitCode).toBe(1);
  expect(texts.events).toContain('***');
});

test('nothing that certify writes at the end contains a secret that was shown before it was known', async () => {
  const secret = 'later/TOKEN+4711';
  const traffic = new RunTraffic();
  const result = await certify({
    exams: ['happy-day'],
    host: { now: () => Date.UTC(2026, 10, 22) },
    version: '1.2.3',
    attempt: async ({ fetch, baseUrl }) => {
      const json = { 'content-type': 'application/json' };
      const body = JSON.stringify({ teeTimes: Object.values(echoes(secret)), comments: secret });
      const path = encodeURIComponent(secret);
      await fetch(`${baseUrl}/api/v3/facilities?country=${path}`, { headers: { 'x-trace': path } });
      await fetch(`${baseUrl}/api/v5/bookings`, { method: 'POST', headers: json, body });
      await fetch(`${baseUrl}/api/v3/countries`, { headers: { authorization: `Bearer ${secret}` } });
      return { ok: false, said: `failed for ${secret}` };
    },
    onEvent: (event) => {
      if ('exchange' in event) traffic.keep(event.exchange!);
      if (event.type === 'end') traffic.maskAgain(event.mask!);
    },
  });
  const texts = {
    whole: JSON.stringify(result),
    certificate: certificateHtml(result),
    annotations: certifyAnnotations(result).join('\n'),
    ...Object.fromEntries(
      Object.entries(certifyReporters).map(([format, write]) => [format, write(result, traffic.exchanges)]),
    ),
  };
  expect(leaksIn(texts, [secret])).toEqual([]);
  expect(JSON.stringify(traffic.exchanges)).toContain('***');
});

import { expect, test } from 'vitest';
import type { CheckEvent } from '../../../src/conformance/client/types.js';
import { fileReporters, Recorder, reportFormats } from '../../../src/conformance/index.js';
import { deploy } from '../deployment.js';
import { echoes } from '../../support/secrets.js';

test('no output of a check contains a secret that the deployment echoes', async () => {
  const [gate, cookie] = ['GATE/secret+4711', 'set-COOKIE-of-9"9'];
  const secrets = new Set([gate, cookie]);
  const { check, sandbox } = await deploy({}, async (request, through) => {
    const authorization = request.headers.get('authorization') ?? '';
    if (authorization !== '') secrets.add(authorization.replace(/^\w+ /, ''));
    const response = await through(request);
    const headers = new Headers(response.headers);
    headers.set('set-cookie', `sid=${encodeURIComponent(cookie)}; Path=/`);
    if (!/countries|facilities/.test(request.url)) return new Response(await response.text(), { ...response, headers });
    const data = [...secrets].flatMap((secret) => Object.values(echoes(secret)));
    return Response.json({ success: true, data: [...data, authorization] }, { headers });
  });
  for (const { password } of sandbox.channels) secrets.add(password);
  const recorder = new Recorder();
  const events: CheckEvent[] = [];
  await check({
    headers: { 'X-Gate': gate },
    only: ['countries.*', 'auth.*', 'facilities.list.*'],
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
  const found = Object.entries(texts).flatMap(([output, text]) =>
    [...secrets].flatMap((secret) =>
      Object.entries(echoes(secret))
        .filter(([, echoed]) => text.includes(echoed))
        .map(([shape, echoed]) => `${output}: ${shape}: ${echoed}`),
    ),
  );
  expect([...new Set(found)]).toEqual([]);
  expect(texts.events).toContain('***');
});

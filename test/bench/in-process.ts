import type { createSandbox as Create, Sandbox } from '../../src/engine/library.js';
import { exchangeLog } from '../../src/cli/log.js';
import { bookingFor, dayIn, type TeeTime } from '../support/scenes.js';
import { NOW } from './children.js';
import { readCases } from './reads.js';
import { median, type Row, type Section } from './report.js';
import { authorization, CREATE_PATH, sheetPath } from './requests.js';

const ORIGIN = 'http://sandbox.test';
const headers = { authorization, 'content-type': 'application/json' };
const BOOKINGS = 400;

export type Work = () => unknown;

/** The library as users have it: the bundle. */
async function createSandbox(...options: Parameters<typeof Create>): Promise<Sandbox> {
  const bundle = new URL('../../dist/index.js', import.meta.url).href;
  return ((await import(bundle)) as { readonly createSandbox: typeof Create }).createSandbox(...options);
}

/** Microseconds of processor time of one call, the median over batches. */
export async function time(work: Work, calls: number): Promise<number> {
  const batches: number[] = [];
  for (let batch = -2; batch < 7; batch += 1) {
    const start = process.cpuUsage();
    for (let call = 0; call < calls; call += 1) await work();
    const { user, system } = process.cpuUsage(start);
    if (batch >= 0) batches.push((user + system) / calls);
  }
  return median(batches);
}

function call(sandbox: Sandbox, path: string, init: RequestInit = {}): Work {
  return async () => {
    const response = await sandbox.fetch(new Request(ORIGIN + path, { headers, ...init }));
    if (response.status !== 200) throw new Error(`${path} was answered with ${response.status} in process.`);
  };
}

/** What any handler costs that is given a `Request` and gives back a `Response` of its own. */
const floor: Work = () => {
  const request = new Request(ORIGIN, { headers });
  return new Response(request.url, { status: 200, headers: { 'content-type': 'application/json' } });
};

async function bodiesFor(sandbox: Sandbox, count: number): Promise<string[]> {
  const bodies: string[] = [];
  for (let days = 20; bodies.length < count; days += 1) {
    const response = await sandbox.fetch(new Request(ORIGIN + sheetPath(1002, days), { headers }));
    const { data } = (await response.json()) as { data: { teeTimeV3: TeeTime[] } };
    for (const teeTime of data.teeTimeV3) bodies.push(JSON.stringify(bookingFor(teeTime, { facilityId: 1002 })));
  }
  return bodies;
}

/** Microseconds of single requests through `sandbox.fetch`, without a server. */
export async function measureInProcess(): Promise<Section> {
  const sandbox = await createSandbox({ now: NOW });
  const onExchange = exchangeLog({ level: 'info', format: 'pretty', colour: false, write: () => {} })!;
  const logged = await createSandbox({ now: NOW, onExchange });
  const bodies = await bodiesFor(sandbox, BOOKINGS * 9);
  const next = () => bodies.pop()!;
  const day = `fromDate=${dayIn(20).query}&toDate=${dayIn(20).query}`;
  const cases: [string, Work, number][] = [
    ['a Request and a Response, nothing else', floor, 3000],
    ...readCases.map(({ name, path }): [string, Work, number] => [name, call(sandbox, path), 1500]),
    ['countries, with a log line', call(logged, '/api/v3/countries'), 1500],
    ['booking', () => call(sandbox, CREATE_PATH, { method: 'POST', body: next() })(), BOOKINGS],
    ['list of a day of bookings', call(sandbox, `/api/v4/bookings?${day}`), 1500],
  ];
  const rows: Row[] = [];
  for (const [name, work, calls] of cases) rows.push({ case: name, us: (await time(work, calls)).toFixed(1) });
  return {
    title: 'In process: microseconds of processor time of one `sandbox.fetch`',
    rows,
    note: 'Node builds its own Request and Response here; the server above uses the light ones of @hono/node-server.',
  };
}

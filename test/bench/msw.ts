import { http, type RequestHandler } from 'msw';
import { setupServer } from 'msw/node';
import type { createSandbox as Create, Sandbox } from '../../src/engine/library.js';
import type { createHandlers as CreateHandlers } from '../../src/bindings/msw.js';
import { NOW } from './children.js';
import { time, type Work } from './in-process.js';
import { readCases } from './reads.js';
import { type Row, type Section, undisturbed } from './report.js';
import { authorization } from './requests.js';

const ORIGIN = 'http://sandbox.test';
const CALLS = 60;
const WARM_UP_ROUNDS = 2;
/** Of the engine's share, in microseconds. */
const TARGET = 60;
const measured = ['countries', 'sheet'];

/** An entry of the package as users have it: the bundle. */
function entry<Entry>(name: string): Promise<Entry> {
  return import(new URL(`../../dist/${name}.js`, import.meta.url).href) as Promise<Entry>;
}

/** A call that reads its answer to the end, as every client does. */
function reading(path: string, send: (request: Request) => Response | Promise<Response>): Work {
  return async () => {
    const response = await send(new Request(ORIGIN + path, { headers: { authorization } }));
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}.`);
  };
}

/** A handler that does nothing but answer what the sandbox answers. */
async function trivial(sandbox: Sandbox, path: string): Promise<RequestHandler> {
  const response = await sandbox.fetch(new Request(ORIGIN + path, { headers: { authorization } }));
  const bytes = new Uint8Array(await response.arrayBuffer());
  const headers = Object.fromEntries(response.headers);
  return http.get(`${ORIGIN}/*`, () => new Response(bytes, { status: 200, headers }));
}

/** Microseconds of processor time of one request through msw, beside a handler that sends the same bytes and the engine by itself. */
export async function measureMsw(rounds: number): Promise<Section> {
  const { createSandbox } = await entry<{ readonly createSandbox: typeof Create }>('index');
  const { createHandlers } = await entry<{ readonly createHandlers: typeof CreateHandlers }>('msw');
  const sandbox = await createSandbox({ now: NOW });
  const server = setupServer();
  server.listen({ onUnhandledRequest: 'error' });
  const rows: Row[] = [];
  for (const { name, path } of readCases.filter((one) => measured.includes(one.name))) {
    const sides: Readonly<Record<string, readonly RequestHandler[]>> = {
      'trivial us': [await trivial(sandbox, path)],
      'teebox us': createHandlers(sandbox, { baseUrl: ORIGIN }),
      'per operation us': createHandlers(sandbox, { baseUrl: ORIGIN, perOperation: true }),
      'sandbox.fetch us': [],
    };
    const taken = new Map(Object.keys(sides).map((side) => [side, [] as number[]]));
    // In turns, there and back, so that what disturbs the machine disturbs every side; the first rounds are not counted.
    for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
      const turns = Object.entries(sides);
      for (const [side, handlers] of round % 2 === 0 ? turns : turns.reverse()) {
        server.resetHandlers(...handlers);
        const send = handlers.length > 0 ? fetch : (request: Request) => sandbox.fetch(request);
        const us = await time(reading(path, send), CALLS);
        if (round >= 0) taken.get(side)!.push(us);
      }
    }
    const us = Object.fromEntries([...taken].map(([side, times]) => [side, undisturbed(times)]));
    const difference = us['teebox us']! - us['trivial us']!;
    const shown = Object.entries({ ...us, 'difference us': difference }).map(([side, value]) => [
      side,
      value.toFixed(0),
    ]);
    const reached = difference < TARGET ? 'yes' : 'no';
    rows.push({ case: name, ...Object.fromEntries(shown), target: `< ${TARGET}`, reached });
  }
  server.close();
  const note =
    '`difference`, of teebox and trivial, is the share of the engine; `sandbox.fetch` is the engine by itself. All are of ' +
    'the rounds that nothing disturbed.';
  return { title: 'MSW: beside a single handler that sends the same bytes', rows, note };
}

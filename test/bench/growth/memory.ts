import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { createSandbox as Create, createWorlds as CreateWorlds, Sandbox } from '../../../src/engine/library.js';
import { NOW } from '../children.js';
import { median, type Row, type Section } from '../report.js';
import { authorization, fill, type Send } from '../requests.js';

const ORIGIN = 'http://sandbox.test';
const BOOKINGS = 1_000_000;
const WORLDS = 1000;
const SANDBOXES = 30;
/** Bookings after which the caches, the journal and the recording hold as much as they ever do. */
const FILLING = 80_000;
const FROM_DAY = 20;
const LATER_DAY = 100;
const PATH = '/api/v3/countries';
const headers = { authorization, 'content-type': 'application/json' };

interface Library {
  readonly createSandbox: typeof Create;
  readonly createWorlds: typeof CreateWorlds;
}

/** The library as users have it: the bundle. */
function load(): Promise<Library> {
  return import(new URL('../../../dist/index.js', import.meta.url).href) as Promise<Library>;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes that are held after all garbage is collected. */
function held(): number {
  for (let turn = 0; turn < 3; turn += 1) collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function sendTo({ fetch }: Pick<Sandbox, 'fetch'>): Send {
  return async (path, body) => {
    const response = await fetch(ORIGIN + path, { headers, ...(body === undefined ? {} : { method: 'POST', body }) });
    if (response.status !== 200) throw new Error(`${path} was answered with ${response.status} in process.`);
    return response.text();
  };
}

function row(what: string, value: number, unit: string, target: number): Row {
  return {
    case: what,
    measured: `${value.toFixed(value < 100 ? 2 : 0)} ${unit}`,
    target: `< ${target} ${unit}`,
    reached: value < target ? 'yes' : 'no',
  };
}

/** What a new sandbox and an idle world cost, in process. */
export async function measureSandboxes(): Promise<Section> {
  const library = await load();
  const rows = [await createTime(library), await bytesOfWorld(library)];
  return { title: 'In process: a new sandbox, and idle worlds that have answered one request', rows, note: heapNote };
}

/** What a booking holds, in process. */
export async function measureBookings(): Promise<Section> {
  const library = await load();
  const rows = [...(await bytesOfBooking(library, BOOKINGS / 10)), (await bytesOfBooking(library, BOOKINGS))[0]!];
  return { title: 'In process: memory of bookings', rows, note: heapNote };
}

const heapNote = 'Bytes are what the heap holds after a collection, with buffers.';

/** The time until a new sandbox has answered its first request. */
async function createTime({ createSandbox }: Library): Promise<Row> {
  const times: number[] = [];
  for (let turn = 0; turn < SANDBOXES; turn += 1) {
    const start = performance.now();
    const sandbox = await createSandbox({ now: NOW });
    times.push(performance.now() - start);
    await sendTo(sandbox)(PATH);
  }
  const first = times.shift()!;
  return row(`createSandbox (the first of a process: ${first.toFixed(0)} ms)`, median(times), 'ms', 5);
}

/** What a booking holds, and what a busy sandbox holds beside its bookings. */
async function bytesOfBooking({ createSandbox }: Library, count: number): Promise<Row[]> {
  const sandbox = await createSandbox({ now: NOW });
  const send = sendTo(sandbox);
  const fresh = held();
  await fill(send, FILLING, FROM_DAY);
  const before = held();
  await fill(send, count, LATER_DAY);
  const each = (held() - before) / count;
  // Used again here, so that it is not collected before.
  await send(PATH);
  const rest = (before - fresh - FILLING * each) / 1e6;
  return [
    row(`one of ${count.toLocaleString('en')} bookings`, each, 'B', 1000),
    { case: 'caches, journal and recording of a busy sandbox', measured: `${rest.toFixed(0)} MB` },
  ];
}

async function bytesOfWorld({ createWorlds }: Library): Promise<Row> {
  const worlds = await createWorlds({ now: NOW, maxWorlds: WORLDS + 2, memoryBudget: 4e9 });
  const send = sendTo(worlds);
  await send(`/w/first${PATH}`);
  const before = held();
  for (let index = 0; index < WORLDS; index += 1) await send(`/w/idle-${index}${PATH}`);
  const each = (held() - before) / WORLDS / 1000;
  await send(PATH);
  return row(`one of ${WORLDS} idle worlds`, each, 'kB', 200);
}

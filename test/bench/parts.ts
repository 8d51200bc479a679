import { measureDataLibrary } from './data-library.js';
import { measureGrowth } from './growth/growth.js';
import { measureBookings, measureSandboxes } from './growth/memory.js';
import { measureInProcess } from './in-process.js';
import { measureLayer } from './layer.js';
import { measureMsw } from './msw.js';
import { measurePeers } from './peers/peers.js';
import { measureProxy } from './proxy.js';
import { measureRead, otherReads } from './reads.js';
import type { Row, Section } from './report.js';
import { measureStartUp } from './start-up.js';
import { measureState } from './state.js';
import { measureTable } from './table/table.js';
import { measureChangedSheet } from './writes.js';

const ROUNDS = 5;

/** Measures in so many rounds. */
type Part = (rounds?: number) => Promise<readonly Section[]>;

const requestNote =
  '`ratio` is of requests in a second of processor time, the median over neighbouring rounds; `cpu us` is processor ' +
  'time for a request; a `busy` far below 1 says that the server waited for the load or for the machine.';

function requests(measureRows: (rounds: number) => Promise<readonly Row[]>): Part {
  return async (rounds = ROUNDS) => [
    { title: 'Requests: beside bare Hono sending the same bytes', rows: await measureRows(rounds), note: requestNote },
  ];
}

function one(measure: (rounds: number) => Promise<Section>): Part {
  return async (rounds = ROUNDS) => [await measure(rounds)];
}

/** The parts by name, in the order in which they are measured. */
export const parts: Readonly<Record<string, Part>> = {
  table: (rounds = 40) => measureTable(rounds),
  'start-up': (rounds = 9) => one(measureStartUp)(rounds),
  ...Object.fromEntries(
    otherReads.map((read) => [read.name, requests(async (rounds) => [await measureRead(read, rounds)])]),
  ),
  'changed-sheet': requests(async (rounds) => [await measureChangedSheet(rounds)]),
  growth: (rounds = 20) => measureGrowth(rounds),
  sandboxes: one(measureSandboxes),
  memory: one(measureBookings),
  'in-process': one(measureInProcess),
  layer: one(measureLayer),
  proxy: one(measureProxy),
  state: one(measureState),
  msw: (rounds = 20) => one(measureMsw)(rounds),
  'data-library': one(measureDataLibrary),
};

/** Those that need more than this folder: only when they are asked for. */
export const askedParts: Readonly<Record<string, Part>> = {
  // It installs the mock servers.
  peers: (rounds = 15) => measurePeers(rounds),
};

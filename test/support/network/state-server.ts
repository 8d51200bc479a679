import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import type { State } from '../../../src/engine/library.js';
import { readLog } from '../../../src/cli/state/read-log.js';
import { basic } from '../credentials.js';
import { bookingFor, type TeeTime } from '../scenes.js';

/** A server of Teebox. */
interface Target {
  readonly baseUrl: string;
}

/** A frozen clock, and no log. */
export const NOW = ['--now', '2026-06-01T08:00:00Z', '--log-level', 'silent'];

const headers = { ...basic('fairway', 'not-a-secret-fairway'), 'content-type': 'application/json' };

/** Makes folders of their own for the tests of a file, which are removed after them. */
export function folders(): () => string {
  const root = mkdtempSync(join(tmpdir(), 'teebox-state-'));
  afterAll(() => rmSync(root, { recursive: true }));
  let made = 0;
  return () => {
    const folder = join(root, String((made += 1)));
    mkdirSync(folder);
    return folder;
  };
}

/** The state in a file, which may have changes behind it. */
export const readState = (file: string): State => readLog(readFileSync(file)).state;

export const idsIn = ({ store }: State): string[] => store.bookings.map(({ bookingId }) => bookingId);

export async function ask({ baseUrl }: Target, path: string, body?: unknown) {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(baseUrl + path, { headers, ...init });
  const answer = await response.json();
  expect({ path, status: response.status, answer }).toMatchObject({ status: 200 });
  return answer;
}

export async function book(server: Target, teeTime: TeeTime): Promise<string> {
  return (await ask(server, '/api/v5/bookings', bookingFor(teeTime))).data.bookingId;
}

/** Books where this may fail; gives back the status, and the message or the id. */
export async function tryToBook(
  { baseUrl }: Target,
  teeTime: TeeTime,
): Promise<{ status: number; message: string; id: string | undefined }> {
  const init = { method: 'POST', headers, body: JSON.stringify(bookingFor(teeTime)) };
  const response = await fetch(`${baseUrl}/api/v5/bookings`, init);
  const { message, data } = (await response.json()) as { message: string; data?: { bookingId: string } };
  return { status: response.status, message, id: data?.bookingId };
}

export async function teeTimes(server: Target, day = 11): Promise<TeeTime[]> {
  const { data } = await ask(server, `/api/v4/teetimes/1001?bookingDate=${day}-06-2026&players=1&holes=18`);
  return data.teeTimeV3;
}

export async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => void setTimeout(resolve, 20));
}

/** The ids of all bookings, in order of creation. */
export async function listed(server: Target): Promise<string[]> {
  const { bookings } = await ask(server, '/__admin/bookings?limit=10000');
  return bookings.map(({ bookingId }: { bookingId: string }) => bookingId);
}

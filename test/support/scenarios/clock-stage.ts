import type { SandboxOptions } from '../../../src/engine/library.js';
import { adminOf } from '../admin.js';
import { NOW, open } from '../client.js';
import { searchQuery } from '../views.js';
import { heldTimers } from './held-timers.js';

export const START = Date.parse(NOW);
/** Seconds after the start. */
export const seconds = (instant: string | number): number => (new Date(instant).getTime() - START) / 1000;

interface Noted {
  readonly to: string;
  /** What the clock showed, in seconds after the start. */
  readonly shown: number;
}

/**
 * A sandbox whose receivers fail so often before they take a result, by their path, and which notes down what came when.
 * Long timers are held.
 */
export async function stage(failing: Readonly<Record<string, number>>, options: SandboxOptions = {}) {
  const timers = heldTimers();
  const noted: Noted[] = [];
  const opened = await open({
    dialect: { answers: { 'callback.retries': 5 } },
    schedule: timers.schedule,
    fetch: async (url) => {
      const to = new URL(url).pathname.slice(1);
      noted.push({ to, shown: seconds(sandbox.clock.now()) });
      const count = noted.filter((one) => one.to === to).length;
      return new Response(null, { status: count <= (failing[to] ?? 0) ? 500 : 204 });
    },
    ...options,
  });
  const { sandbox, fairway } = opened;
  const admin = adminOf(sandbox);
  const ask = (to: string, spec?: string) => {
    const callbackUrl = `http://127.0.0.1:9/${to}`;
    const headers: Record<string, string> = spec === undefined ? {} : { 'teebox-scenario': spec };
    return fairway.get(`/api/v5/teetimes?${new URLSearchParams(searchQuery({ callbackUrl }))}`, { headers });
  };
  const move = async (body: object) => (await admin('POST', 'clock', body)).body;
  const attempts = () => sandbox.callbacks.deliveries.map((one) => one.attempts.map(({ at }) => seconds(at)));
  return { ...opened, admin, ask, move, attempts, noted, timers };
}

/** Lets everything happen that takes no time. */
export const soon = () => new Promise((resolve) => setTimeout(resolve, 20));

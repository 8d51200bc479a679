import { Refusal } from '../model/refusal.js';
import type { Channel } from '../model/world.js';

const MINUTE = 60_000;

/** Requests per channel and minute; none by default, since the document shows no rate limit. */
export function createRateLimit(perMinute: number): ((channel: Channel, now: number) => void) | undefined {
  if (perMinute === 0) return undefined;
  const windows = new Map<string, { start: number; count: number }>();
  return (channel, now) => {
    let window = windows.get(channel.name);
    if (!window || now - window.start >= MINUTE || now < window.start) {
      windows.set(channel.name, (window = { start: now, count: 0 }));
    }
    window.count += 1;
    if (window.count <= perMinute) return;
    const wait = Math.ceil((window.start + MINUTE - now) / 1000);
    throw new Refusal('rate-limited', 'limits.rate', { headers: { 'retry-after': String(wait) } });
  };
}

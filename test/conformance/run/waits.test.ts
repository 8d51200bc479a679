import { expect, test } from 'vitest';
import { deploy } from '../deployment.js';

test(
  'a run does not wait where answers that differ agree when they are asked for again',
  { tags: ['slow'] },
  async () => {
    const { check, options } = await deploy();
    const waits: number[] = [];
    const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> => {
      waits.push(milliseconds);
      return options.host.sleep(milliseconds, signal);
    };
    // Its own bookings lie between the price list and the last tee sheets.
    const only = ['prices.*', 'bookings.effect.*'];
    const { exitCode } = await check({ host: { ...options.host, sleep }, only, allow: ['bookings'], depth: 'quick' });
    expect(exitCode).toBe(0);
    expect(waits.filter((one) => one > 0)).toEqual([]);
  },
);

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Change, State } from '../../../src/engine/library.js';
import { checkedLine, checkedState } from '../../../src/cli/state/line-check.js';
import { readLog } from '../../../src/cli/state/read-log.js';
import { KILLS } from '../../support/network/kills.js';
import { open } from '../../support/client.js';
import { bookingFor, teeTimesOf } from '../../support/scenes.js';

/** The snapshot, and the state after each line. */
let states: State[];
let head: Buffer;
let lines: Buffer[];
const fileOf = (count: number): Buffer => Buffer.concat([head, ...lines.slice(0, count)]);

beforeAll(async () => {
  const changes: Change[][] = [];
  const { sandbox, fairway } = await open({
    changes: { append: (change) => void changes.at(-1)?.push(change), kept: () => undefined },
  });
  const [first, second] = await teeTimesOf(fairway);
  const steps = [
    () => fairway.post('/api/v5/bookings', bookingFor(first!)),
    () => fairway.post('/api/v5/bookings', [bookingFor(first!), bookingFor(second!, { contactFirstName: 'Zoë ⛳' })]),
    () => sandbox.clock.set('2026-06-01T09:00:00Z'),
    () => sandbox.scenarios.arm('server-error', { times: 2 }),
  ];
  states = [sandbox.snapshot()];
  for (const step of steps) {
    changes.push([]);
    await step();
    states.push(sandbox.snapshot());
  }
  head = Buffer.from(`${JSON.stringify(states[0])}\n`);
  lines = changes.map((group) => Buffer.from(`${JSON.stringify(group)}\n`));
});

/** The same file as it is written, with a checksum of each line. */
const checkedFile = (count: number): Buffer =>
  Buffer.from(
    [
      ...checkedState([JSON.stringify(states[0]).slice(0, 999), JSON.stringify(states[0]).slice(999)]),
      '\n',
      ...lines
        .slice(0, count)
        .map((line) => checkedLine((JSON.parse(line.toString()) as unknown[]).map((one) => JSON.stringify(one)))),
    ].join(''),
  );

describe('a file with checksums', () => {
  test('is the same state, and is JSON line by line', () => {
    for (const [count, state] of states.entries()) {
      const file = checkedFile(count);
      expect(readLog(file).state).toEqual(state);
      for (const line of file.toString().trim().split('\n')) JSON.parse(line);
    }
  });

  test('that was cut at any byte is the state after the lines that are whole', () => {
    const [shorter, whole] = [checkedFile(lines.length - 1), checkedFile(lines.length)];
    for (let cut = shorter.length; cut < whole.length - 1; cut += whole.length - cut < 30 ? 1 : 131) {
      expect(readLog(whole.subarray(0, cut)).state).toEqual(states[lines.length - 1]);
    }
  });

  /** Damages a byte of a file in every way that counts, or in a share of them. */
  const damage = (count: number, share: number, numRuns: number): void => {
    const file = checkedFile(count);
    const want = JSON.stringify(readLog(file).state);
    // Where a line ends decides what is read, so each bit around it is tried.
    const ends = [...file.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at);
    const places = ends.flatMap((end) => Array.from({ length: 30 }, (_, index) => end - 28 + index));
    const bits = places
      .filter((at) => at < file.length)
      .flatMap((at) => [0, 1, 2, 3, 4, 5, 6, 7].map((bit) => [at, 1 << bit] as const));
    const check = (at: number, mask: number): void => {
      const damaged = Buffer.from(file);
      damaged[at]! ^= mask;
      let found: State;
      try {
        found = readLog(damaged).state;
      } catch (error) {
        expect((error as Error).message).toMatch(/\w/);
        return;
      }
      if (JSON.stringify(found) === want) return;
      // The sandbox itself refuses a member that it does not know.
      expect(
        Object.keys(found).filter((name) => !(name in states[0]!)),
        `${at} ${mask}`,
      ).not.toEqual([]);
    };
    for (const [at, mask] of bits.filter((_, index) => index % share === 0)) check(at, mask);
    fc.assert(fc.property(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), check), { numRuns });
  };
  test('is taken by a sandbox as it is, but no other member is', async () => {
    const state = JSON.parse(checkedFile(0).toString());
    const { sandbox } = await open();
    await sandbox.restore(state);
    const { crc32, ...rest } = state;
    await expect(sandbox.restore({ ...rest, crc33: crc32 })).rejects.toThrow('crc33');
  });

  const damaged = 'in which any byte is another is refused in words, or is the same state';

  test(damaged, () => damage(2, 11, 30));
  test(`${damaged}: each bit`, { tags: ['slow'] }, () => {
    for (const count of [0, 1, 4]) damage(count, 1, 1000);
  });
});

describe('a file with changes', () => {
  test('is the state after them', () => {
    for (const [count, state] of states.entries()) {
      expect(readLog(fileOf(count))).toMatchObject({ state, snapshot: head.length, end: fileOf(count).length });
    }
  });

  test('that was cut at any byte is the state after the lines that are whole', () => {
    const whole = fileOf(lines.length);
    // By hand each byte; otherwise those around the ends of lines, and some between.
    const step = KILLS > 3 ? 1 : 97;
    let from = head.length;
    for (const [index, line] of lines.entries()) {
      const end = from + line.length;
      for (let cut = from; cut < end; cut += cut - from < 2 || end - cut <= 3 ? 1 : Math.min(step, end - cut - 2)) {
        const read = readLog(whole.subarray(0, cut));
        // A line that lacks nothing but its end is whole, and the file is written anew.
        const isWhole = cut === end - 1;
        expect(read.state).toEqual(states[isWhole ? index + 1 : index]);
        expect(read.snapshot).toBe(isWhole ? undefined : head.length);
        if (!isWhole) expect(read.end).toBe(from);
      }
      from = end;
    }
  });

  test('whose end the disk filled with zeros is the state before them', () => {
    expect(readLog(Buffer.concat([fileOf(2), Buffer.alloc(500)]))).toMatchObject({ state: states[2] });
  });

  /** A disk writes its sectors in any order. Those that are missing when the power fails are NULs, or what was there. */
  test('whose last line lacks any of its sectors is the state before that line', () => {
    const SECTOR = 512;
    for (const whole of [fileOf(2), checkedFile(2)]) {
      const before = whole.lastIndexOf('\n', whole.length - 2);
      // The line ends in a sector of its own, too.
      for (const shift of [0, SECTOR - (whole.length % SECTOR) + 1]) {
        const file = Buffer.concat([whole.subarray(0, before), Buffer.alloc(shift, ' '), whole.subarray(before)]);
        const start = before + shift + 1;
        const sectors = Array.from({ length: Math.ceil(file.length / SECTOR) }, (_, at) => at * SECTOR);
        for (const at of sectors.filter((sector) => sector + SECTOR > start)) {
          const torn = Buffer.from(file).fill(0, Math.max(start, at), Math.min(file.length, at + SECTOR));
          const read = readLog(torn);
          const isWhole = at === file.length - 1;
          expect(read.state, `${shift} ${at}`).toEqual(states[isWhole ? 2 : 1]);
          if (isWhole) continue;
          expect(read).toMatchObject({ end: start, snapshot: whole.indexOf('\n') + 1 });
          expect(() => readLog(Buffer.concat([torn, Buffer.from('\n'), lines[2]!]))).toThrow(/^line 3 is broken/);
        }
      }
    }
  });

  test('has the callbacks that are still to be posted', () => {
    const over = { kind: 'callback', id: 'callback-2', pending: null };
    const { callbacks } = readLog(Buffer.concat([fileOf(1), Buffer.from(`${JSON.stringify([over])}\n`)]));
    expect(callbacks.state).toEqual({ issued: 2, pending: [] });
  });

  test.each([
    ['no JSON', '{"kind"\n', /^line 3 is broken: it is no list of changes\. Delete the lines from 3 on/],
    ['no list', '{"kind":"requests","requests":9}\n', /^line 3 is broken: it is no list of changes\./],
    ['another kind', '[{"kind":"other"}]\n', /^line 3 is broken: `changes\[0\]\.kind`/],
    ['what does not fit', '[{"kind":"canceled","sequence":999,"canceledAt":""}]\n', /^line 3 is broken: `changes\[0\]/],
  ])('with %s in the middle is refused, by the line', (_, text, why) => {
    const broken = Buffer.concat([fileOf(1), Buffer.from(text), lines[1]!]);
    expect(() => readLog(broken)).toThrow(why);
  });
});

describe('a file of before', () => {
  const rows: [how: string, text: (state: State) => string][] = [
    ['one line', (state) => `${JSON.stringify(state)}\n`],
    ['one line without an end', (state) => JSON.stringify(state)],
    ['formatted', (state) => `${JSON.stringify(state, null, 2)}\n`],
  ];
  test.each(rows)('is its state: %s', (_, text) => {
    expect(readLog(Buffer.from(text(states[0]!))).state).toEqual(states[0]);
  });
});

import { describe, expect, test } from 'vitest';
import { CapsuleRecorder } from '../../../src/engine/record/capsule-recorder.js';
import { OpenEntry } from '../../../src/engine/record/journal.js';
import type { SavePoint } from '../../../src/engine/state/state.js';

const MIB = 1_048_576;

function start() {
  let taken = 0;
  let request = 0;
  const recorder = new CapsuleRecorder(
    () => ({ requests: ++taken }) as unknown as SavePoint,
    () => 0,
  );
  recorder.begin(true);
  const arrive = () => {
    request += 1;
    const entry = new OpenEntry(`req-${request}`, 'GET', 'http://sandbox.test/', 0, undefined, {});
    return recorder.arrive(entry, undefined, false);
  };
  const answer = (characters: number) => {
    const one = arrive();
    recorder.over(one, { status: 200, headers: {}, body: 'x'.repeat(characters) });
    return one;
  };
  return { recorder, arrive, answer, savePoints: () => taken };
}

describe('a recording is bounded', () => {
  test.each([
    ['many small responses', 10, 1250],
    ['responses below the limit of a long one', 60_000, 200],
    ['long responses', 300_000, 1250],
  ])('%s', (_, characters, most) => {
    const { recorder, answer } = start();
    for (let i = 0; i < 3000; i += 1) answer(characters);
    const { steps } = recorder.recorded;
    expect(steps.length).toBeGreaterThan(most / 5);
    expect(steps.length).toBeLessThanOrEqual(most);
    expect(recorder.bytes).toBeLessThanOrEqual(24 * MIB);
  });

  test('of long responses the oldest are dropped, and their length stays', () => {
    const { answer } = start();
    const [first, ...others] = Array.from({ length: 12 }, () => answer(300_000));
    expect([first!.length, first!.made!.body]).toEqual([300_000, '']);
    expect([others.at(-1)!.length, others.at(-1)!.made!.body.length]).toEqual([undefined, 300_000]);
  });

  test('a request that is under way is not cut in two', () => {
    const { recorder, arrive, answer, savePoints } = start();
    const open = arrive();
    for (let i = 0; i < 500; i += 1) answer(10);
    expect(savePoints()).toBe(1);
    recorder.over(open, undefined);
    expect(savePoints()).toBe(2);
    expect(recorder.recorded.steps).toHaveLength(501);
  });

  test('where a request is always under way, it begins anew at the next quiet moment', () => {
    const { recorder, arrive, answer } = start();
    const open = arrive();
    for (let i = 0; i < 1100; i += 1) answer(10);
    expect(recorder.recorded.steps).toEqual([]);
    recorder.over(open, undefined);
    answer(10);
    expect(recorder.recorded.steps).toHaveLength(1);
  });
});

import { expect } from 'vitest';
import type { Change, ChangeSink, Sandbox, State } from '../../src/engine/library.js';
import { applyChanges } from '../../src/engine/state/apply-changes.js';

/** Keeps the changes of a sandbox as text, as a log would. */
export class KeptChanges implements ChangeSink {
  readonly lines: string[] = [];
  /** The number of requests, if it is newer than what the changes say. */
  requests: number | undefined;

  append(change: Change): void {
    if (change.kind === 'requests' || change.kind === 'state') this.requests = undefined;
    this.lines.push(JSON.stringify(change));
  }

  counted(requests: number): void {
    this.requests = requests;
  }

  kept(): Promise<void> | undefined {
    return undefined;
  }

  get changes(): Change[] {
    return this.lines.map((line) => JSON.parse(line) as Change);
  }

  /** The kinds of the changes, in order. */
  get kinds(): string[] {
    return this.changes.map(({ kind }) => kind);
  }

  /** Takes what was kept so far, and forgets it. */
  take(): Change[] {
    const { changes } = this;
    this.lines.length = 0;
    return changes;
  }
}

/** The state of a sandbox follows from an earlier one and the changes since. */
export function expectKept(
  before: State,
  changes: readonly Change[],
  { requests }: KeptChanges,
  sandbox: Sandbox,
): void {
  const made = applyChanges(JSON.parse(JSON.stringify(before)), changes);
  expect({ ...made, requests: requests ?? made.requests }).toEqual(JSON.parse(JSON.stringify(sandbox.snapshot())));
}

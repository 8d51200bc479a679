/** Where a command writes: results to `out`, everything else to `err`. */
export interface Terminal {
  out(line: string): void;
  err(line: string): void;
  /** Whether `err` shows colours. */
  readonly colour: boolean;
}

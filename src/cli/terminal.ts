/** The output of a command: results go to `out`, everything else to `err`. */
export interface Terminal {
  out(line: string): void;
  err(line: string): void;
  /** Whether lines to `err` may be coloured. */
  readonly colour: boolean;
}

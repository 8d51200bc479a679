declare module 'vitest' {
  interface ProvidedContext {
    /** The number of the mutation that applies, or 0 for none. */
    readonly mutant: number;
    /** The file of what is reached, as lines of JSON; empty if nothing is recorded. */
    readonly reached: string;
  }
}

/** Some tests of one file. */
export interface Choice {
  readonly project: string;
  readonly file: string;
  /** The ids of the tests; none stands for all of the file. */
  readonly tests?: readonly string[];
}

/** What the process of the tests is asked. */
export interface Order {
  readonly mutant: number;
  /** Without it, all tests run whose path has one of `paths`. */
  readonly choices?: readonly Choice[];
  readonly paths?: readonly string[];
}

/** A test that ran. */
export interface Ran {
  readonly id: string;
  readonly name: string;
  readonly project: string;
  readonly file: string;
  readonly milliseconds: number;
  readonly passed: boolean;
}

/** What that process says: after each test, and at the end of what it was asked. */
export type Said = { readonly ran: Ran } | { readonly done: true; readonly failed: string | null };

/** Who may receive callbacks, where the host of a sandbox decides it in place of `--allow-callback`. */
export interface CallbackPolicy {
  /** Why callbacks may not reach an address outside of the sandbox, as a sentence without its period; null if they may. */
  whyNot(url: URL): string | null;
}

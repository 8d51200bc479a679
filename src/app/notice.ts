/** Tells that something changed, and of a change that has several parts once, when it is over. */
export interface Notice {
  readonly tell: () => void;
  /** Tells from now on. */
  begin(): void;
  whole(change: () => Promise<void>): Promise<void>;
}

/** Silent until it begins. */
export function createNotice(listener: () => void = () => {}): Notice {
  let open = 1;
  const tell = (): void => {
    if (open === 0) listener();
  };
  return {
    tell,
    begin: () => void (open -= 1),
    async whole(change) {
      open += 1;
      try {
        await change();
      } finally {
        open -= 1;
      }
      tell();
    },
  };
}

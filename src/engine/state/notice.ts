/** Reports changes. A change with several parts is reported one time, at its end. */
export interface Notice {
  readonly tell: () => void;
  /** Starts reporting. */
  begin(): void;
  whole(change: () => Promise<void>): Promise<void>;
}

/** Reports nothing until it is started. */
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

import type { RunningServer } from '../server.js';
import type { StateFile } from '../state/state-file.js';

const EXIT_LOST = 1;
/** A closed terminal ends the process as Ctrl-C does. An exit code above 128 tells the signal, as in shells. */
const exitCodes = { SIGTERM: 0, SIGINT: 130, SIGHUP: 129 } as const;

/**
 * The first signal stops the server gracefully. A second one ends the process, unless there is something to write: npm
 * sends each signal a second time. A third one ends it in any case. What could not be saved is told, and the exit code is
 * then 1.
 */
export function untilSignal(
  server: RunningServer,
  file: StateFile | undefined,
  tell: (line: string) => void,
): Promise<never> {
  const end = (code: number): never => {
    const loss = file?.loss();
    if (loss !== undefined) tell(`teebox: ${loss}`);
    process.exit(loss === undefined ? code : EXIT_LOST);
  };
  return new Promise(() => {
    let signals = 0;
    const stop = (code: number) => () => {
      signals += 1;
      if (signals > 2 || (signals === 2 && file?.hasWork !== true)) end(code);
      if (signals > 1) return;
      // Pending callbacks would keep the process alive until the last of them timed out.
      void server
        .close()
        .then(() => file?.close())
        .then(() => end(code));
    };
    for (const [signal, code] of Object.entries(exitCodes)) process.on(signal, stop(code));
  });
}

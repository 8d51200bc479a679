// #region vite-sandbox
import { setupWorker } from 'msw/browser';
import { createSandbox, type Sandbox } from 'teebox';
import { createHandlers } from 'teebox/msw';

/** Answers the calls of this page to its own origin. */
export async function startSandbox(): Promise<Sandbox> {
  const sandbox = await createSandbox({ clock: () => Date.now() });
  const worker = setupWorker(...createHandlers(sandbox, { baseUrl: location.origin }));
  await worker.start({ onUnhandledRequest: 'bypass' });
  return sandbox;
}
// #endregion

// #region worker
import { setupWorker } from 'msw/browser';
import { createSandbox, type Sandbox } from 'teebox';
import { createHandlers } from 'teebox/msw';

/** Answers the calls of this page by a sandbox of its own. */
export async function startSandbox(baseUrl: string): Promise<Sandbox> {
  const sandbox = await createSandbox();
  const worker = setupWorker(...createHandlers(sandbox, { baseUrl }));
  await worker.start({ onUnhandledRequest: 'bypass' });
  return sandbox;
}
// #endregion

import { certify } from '../../../../src/certification/certify.js';
import type { ExamEnvironment } from '../../../../src/certification/library.js';
import { CertifyProgress } from '../../../../src/certification/progress.js';
import { createSandboxAt } from '../../../../src/engine/sandbox.js';
import { type ConsoleSite, startSite } from './visit.js';

/** A certification that is under way, with the console that follows it. */
export interface Certifying {
  readonly site: Omit<ConsoleSite, 'worlds' | 'ask'>;
  /** Those of the exams, in their order. */
  readonly environments: readonly ExamEnvironment[];
  /** Ends the exams; the console stays open. */
  end(): Promise<unknown>;
}

/** Starts exams, all at once, in which a client may call until they are ended. */
export async function startCertification(exams: readonly string[]): Promise<Certifying> {
  const progress = new CertifyProgress('2026-11-22T08:00:00.000Z');
  const main = await createSandboxAt({ certification: progress }, { clock: () => Date.now() });
  let stop!: () => void;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const environments: ExamEnvironment[] = [];
  let ended!: Promise<unknown>;
  await new Promise<void>((begun) => {
    ended = certify({
      exams,
      isOpen: true,
      host: { now: () => Date.now() },
      onEvent: (event) => progress.onEvent(event),
      attempt: async (one) => {
        environments.push(one);
        if (environments.length === exams.length) begun();
        await stopped;
        return {};
      },
    });
  });
  return { site: await startSite(main), environments, end: () => (stop(), ended) };
}

/** Logs in, as the API specification asks for. Gives a client that reads with the token. */
export async function logIn({ fetch, baseUrl, refreshToken }: ExamEnvironment): Promise<(path: string) => unknown> {
  const body = JSON.stringify({ refresh_token: refreshToken });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${baseUrl}/api/v3/token/refreshToken`, { method: 'POST', headers, body });
  const { data } = (await response.json()) as { readonly data: { readonly access_token: string } };
  const authorization = `Bearer ${data.access_token}`;
  return (path) => fetch(`${baseUrl}${path}`, { headers: { authorization } });
}

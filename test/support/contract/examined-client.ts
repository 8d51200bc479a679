import { certify } from '../../../src/certification/certify.js';
import { CertifyProgress } from '../../../src/certification/progress.js';
import { NOW } from '../client.js';

/** The progress of a client that has sent one request of the wrong type. */
export async function examinedClient(): Promise<CertifyProgress> {
  const progress = new CertifyProgress(NOW);
  await certify({
    exams: ['happy-day'],
    host: { now: () => Date.parse(NOW) },
    attempt: async ({ fetch, baseUrl }) => {
      await fetch(`${baseUrl}/api/v3/token/refreshToken`, { method: 'POST', body: '{}' });
      return {};
    },
    onEvent: (event) => progress.onEvent(event),
  });
  return progress;
}

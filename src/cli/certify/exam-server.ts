import type { CertifyOptions } from '../../certification/index.js';
import type { Handle } from '../../engine/index.js';
import { listenOrExplain } from '../commands/serve.js';

/** One server for several exams: each is a world at `/w/EXAM`. */
export interface ExamServer {
  readonly url: string;
  readonly listen: NonNullable<CertifyOptions['listen']>;
  close(): Promise<void>;
}

/**
 * Starts a server of exams.
 *
 * @param rest Answers what belongs to no exam.
 * @throws {UsageError} if it cannot listen on the port.
 */
export async function startExamServer(port: number, rest: Handle): Promise<ExamServer> {
  const exams = new Map<string, Handle>();
  const handle: Handle = (request, hints) => {
    const [, exam = ''] = /^[a-z]+:\/\/[^/]+\/w\/([^/?#]+)/i.exec(request.url) ?? [];
    return (exams.get(exam) ?? rest)(request, hints);
  };
  const { url, close } = await listenOrExplain({ handle }, { port, hostname: '127.0.0.1' });
  return {
    url,
    close,
    async listen({ id }, answer) {
      exams.set(id, answer);
      return { baseUrl: `${url}/w/${id}`, close: () => void exams.delete(id) };
    },
  };
}

/**
 * Makes an exam reachable at a port of its own. A process that an earlier exam has left behind may find the same port
 * later, but not the same path.
 *
 * @throws {UsageError} if it cannot listen.
 */
export const listenAlone: ExamServer['listen'] = async (exam, answer) => {
  const server = await startExamServer(0, answer);
  const { baseUrl } = await server.listen(exam, answer);
  return { baseUrl, close: server.close };
};

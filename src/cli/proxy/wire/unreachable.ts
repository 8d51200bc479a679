import { type ServerResponse, STATUS_CODES } from 'node:http';
import { connectionFault } from '../../../common/index.js';
import type { Transit } from './transit.js';

/** Marks an answer that the proxy has made itself. */
export const OWN_HEADER = 'Teebox-Proxy';

/** Whether the deployment answered something that is no HTTP, by the code of the error. */
export function isNoHttp(code = ''): boolean {
  return code.startsWith('HPE_');
}

/** Answers in the place of the deployment, in the form of RFC 9457, and marked as ours. */
export function answerAsProxy(response: ServerResponse, status: number, detail: string, mark: string): void {
  const title = STATUS_CODES[status];
  const body = JSON.stringify({ type: 'about:blank', title, status, detail, source: 'teebox proxy' });
  response.writeHead(status, {
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
    [OWN_HEADER]: mark,
  });
  response.end(body);
}

/** Answers a request that could not be passed on. */
export function unreachableAnswer(transit: Transit, baseUrl: string, error: NodeJS.ErrnoException): void {
  const { response } = transit;
  transit.isUnreachable = true;
  const { origin, protocol } = new URL(baseUrl);
  const { why, hint } = connectionFault(error, protocol === 'https:');
  transit.failure = why;
  if (response.destroyed) return;
  const detail = isNoHttp(error.code)
    ? `teebox proxy got no answer from ${origin}: ${why}. The request was sent, so it may have been carried out.`
    : `teebox proxy could not reach ${origin}: ${why}. The request was not passed on.`;
  answerAsProxy(response, 502, hint === undefined ? detail : `${detail} ${hint}`, 'target-unreachable');
}

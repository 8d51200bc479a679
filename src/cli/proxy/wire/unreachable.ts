import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Transit } from './transit.js';

/** Marks an answer that the proxy has made itself. */
export const OWN_HEADER = 'Teebox-Proxy';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at that address',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be resolved now',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by no authority that is trusted. Use --ca FILE or --insecure',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by no authority that is trusted. Use --ca FILE or --insecure',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified. Use --ca FILE or --insecure',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** Why a deployment cannot be reached, in a sentence. */
function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  const known = code === undefined ? undefined : reasons[code];
  if (known !== undefined) return `${known} (${code})`;
  return isNoHttp(code) ? `it did not answer with HTTP (${code})` : message || String(code);
}

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
  transit.failure = reasonOf(error);
  if (response.destroyed) return;
  const { origin } = new URL(baseUrl);
  const detail = isNoHttp(error.code)
    ? `teebox proxy got no answer from ${origin}: ${transit.failure}. The request was sent, so it may have been carried out.`
    : `teebox proxy could not reach ${origin}: ${transit.failure}. The request was not passed on.`;
  answerAsProxy(response, 502, detail, 'target-unreachable');
}

import { matchOperation } from '../../conformance/client/wire/match-operation.js';
import { operations } from '../../generated/operations.js';
import type { ObligationSpec } from '../obligation.js';
import { isRefusal } from '../token-history.js';
import { type ClientCall, pathnameOf } from '../traffic.js';

const METHODS: readonly string[] = [...new Set(operations.map(({ method }) => method))];

/** The sample request of v4 uses a v2 path in its text (section "Confirm booking payment"). */
const sampled = /^\/api\/v2\/bookings\/payment\/[^/]+$/;

export const documentedPaths: ObligationSpec = {
  id: 'requests.documented-paths',
  watch: (sight) => ({
    call(call) {
      if (call.operation) return sight.met(call);
      const pathname = pathnameOf(call);
      if (!isOwnPath(call, pathname) || !isRefusal(call)) return;
      const others = METHODS.filter((method) => matchOperation(method, call.path));
      sight.broken({
        message:
          others.length > 0
            ? `The client sent a ${call.method} request to a path that the document lists with ${others.join(' and ')}.`
            : `The client sent a ${call.method} request to a path that the document does not list.`,
        expected:
          'The client sends requests only to the methods and paths of the document, in the versions that have them.',
        evidence: [call],
      });
    },
  }),
};

/**
 * Whether a request is for the API of the document. Pictures and health checks are not. Browsers send OPTIONS by themselves,
 * and HTTP has HEAD for every GET.
 */
function isOwnPath({ method, path }: ClientCall, pathname: string): boolean {
  if (!/^\/+api(\/|$)/.test(pathname) || sampled.test(pathname) || method === 'OPTIONS') return false;
  return method !== 'HEAD' || !matchOperation('GET', path);
}

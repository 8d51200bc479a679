import { matchOperation, operationOf, operations } from '../../../contract/index.js';
import type { Breach, ObligationSpec } from '../obligation.js';
import { isCancellation } from '../operations.js';
import { type ClientCall, pathnameOf, queryOf } from '../traffic.js';
import { isNoValue, isTrouble, watchSlips } from '../slips.js';

export const facilityIdsAtMostFive: ObligationSpec = {
  id: 'requests.facility-ids-at-most-five',
  watch: (sight) =>
    watchSlips(sight, (slips, call) => {
      const { parameters = [] } = call.operation ? operationOf(call.operation) : {};
      for (const { name, maxItems } of parameters) {
        if (maxItems === undefined) continue;
        const ids = queryOf(call)
          .getAll(name)
          .flatMap((text) => text.split(','));
        if (ids.length === 0) continue;
        // The API specification does not say whether an id that is there twice counts twice.
        const count = new Set(ids.map((id) => id.trim())).size;
        if (count <= maxItems) slips.right(name, call);
        else {
          slips.wrong(name, `${count}`, call, {
            message: `A request for prices had ${count} facility ids.`,
            expected: `A request for prices has at most ${maxItems}; for more, the client sends several.`,
          });
        }
      }
    }),
};

const METHODS: readonly string[] = [...new Set(operations.map(({ method }) => method))];

/** The sample request of v4 uses a v2 path in its text (section "Confirm booking payment"). */
const sampled = /^\/api\/v2\/bookings\/payment\/[^/]+$/;

/** Answers by which a service says that it does not have a path or a method; with others it may have one of its own. */
const ABSENT: readonly number[] = [404, 405, 410, 501];

export const documentedPaths: ObligationSpec = {
  id: 'requests.documented-paths',
  watch(sight) {
    let cancellation: ClientCall | undefined;
    let isTroubled = false;
    return {
      call(call) {
        isTroubled ||= isTrouble(call);
        if (call.operation) return sight.met(call);
        if (!isOwnPath(call) || call.undocumented !== undefined || !ABSENT.includes(call.status)) return;
        // An earlier test has failed, so that this one asks for what it did not get.
        if (isTroubled && pathnameOf(call).replace(/\/$/, '').split('/').slice(-1).some(isNoValue)) return;
        // It may say that there is no such booking.
        if (isCancellation(call) && call.status === 404) cancellation ??= call;
        else sight.broken(breachOf(call));
      },
      end({ exam }) {
        // Only of a sandbox is it known that it has no cancellation.
        if (cancellation && exam !== undefined) sight.broken(breachOf(cancellation));
      },
    };
  },
};

function breachOf(call: ClientCall): Breach {
  const others = METHODS.filter((method) => matchOperation(method, call.path));
  return {
    message:
      others.length > 0
        ? `The client sent a ${call.method} request to a path that the API specification lists with ${others.join(' and ')}.`
        : `The client sent a ${call.method} request to a path that the API specification does not list.`,
    expected:
      'The client sends requests only to the methods and paths of the API specification, in the versions that have them.',
    evidence: [call],
    rights: () => 0,
  };
}

/**
 * Whether a request is for the API. Pictures and health checks are not. Browsers send OPTIONS
 * by themselves, and HTTP has HEAD for every GET.
 */
function isOwnPath(call: ClientCall): boolean {
  const { method, path } = call;
  const pathname = pathnameOf(call);
  if (!/^\/+api(\/|$)/.test(pathname) || sampled.test(pathname) || method === 'OPTIONS') return false;
  return method !== 'HEAD' || !matchOperation('GET', path);
}

import type { ObligationSpec } from '../obligation.js';
import { operationOf } from '../../../conformance/index.js';
import { queryOf } from '../traffic.js';
import { Slips } from '../slips.js';

export const facilityIdsAtMostFive: ObligationSpec = {
  id: 'requests.facility-ids-at-most-five',
  watch(sight) {
    const slips = new Slips(sight);
    return {
      call(call) {
        slips.heard(call);
        const { parameters = [] } = call.operation ? operationOf(call.operation) : {};
        for (const { name, maxItems } of parameters) {
          if (maxItems === undefined) continue;
          const ids = queryOf(call)
            .getAll(name)
            .flatMap((text) => text.split(','));
          if (ids.length === 0) continue;
          // The document does not say whether an id that is there twice counts twice.
          const count = new Set(ids.map((id) => id.trim())).size;
          if (count <= maxItems) slips.right(name, call);
          else {
            slips.wrong(name, `${count}`, call, {
              message: `A request for prices had ${count} facility ids.`,
              expected: `A request for prices has at most ${maxItems}; for more, the client sends several.`,
            });
          }
        }
      },
      end: () => slips.end(),
    };
  },
};

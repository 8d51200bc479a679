import { isDay, isObject } from '../../../common/index.js';
import { operationOf } from '../../../contract/index.js';
import type { ObligationSpec } from '../obligation.js';
import { requestJson } from '../traffic.js';
import { watchSlips } from '../slips.js';

const inQueries = /^(?<day>\d\d)-(?<month>\d\d)-(?<year>\d{4})$/;
const iso = /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)$/;
const inBodies = /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

const forms = {
  date: { accepts: [inQueries], words: 'dd-mm-yyyy' },
  // The parameter note and the sample request differ (section "Tee times for several facilities", sentence 1).
  'date-either': { accepts: [inQueries, iso], words: 'dd-mm-yyyy or yyyy-mm-dd' },
  body: { accepts: [inBodies], words: 'yyyy-mm-dd HH:MM:ss' },
} as const;

/** A date of a request, and where it is. */
interface DateSent {
  readonly name: string;
  readonly text: string;
  readonly form: keyof typeof forms;
}

export const dates: ObligationSpec = {
  id: 'requests.dates',
  watch: (sight) =>
    watchSlips(sight, (slips, call) => {
      if (!call.operation) return;
      const { id, parameters, bodies } = operationOf(call.operation);
      const sent: DateSent[] = parameters.flatMap(({ name, kind }) =>
        (kind === 'date' || kind === 'date-either') && call.params[name]
          ? [{ name, text: call.params[name], form: kind }]
          : [],
      );
      if (bodies)
        sent.push(...teetimesIn(requestJson(call)).map((text) => ({ name: 'teetime', text, form: 'body' }) as const));
      for (const { name, text, form } of sent) {
        const { accepts, words } = forms[form];
        const scope = `${id} ${name}`;
        if (accepts.some((pattern) => isDate(pattern.exec(text)))) slips.right(scope, call);
        else {
          slips.wrong(scope, text.slice(0, 30).replace(/\d/g, 'd'), call, {
            message: `\`${name}\` of \`${id}\` was \`${text.slice(0, 30)}\`.`,
            expected: `\`${name}\` is a date that exists, as ${words}.`,
          });
        }
      }
    }),
};

function isDate(found: RegExpExecArray | null): boolean {
  const { year, month, day } = found?.groups ?? {};
  return isDay(`${year}-${month}-${day}`);
}

/** The tee times of the bookings in a body. */
function teetimesIn(body: unknown): string[] {
  const listed = isObject(body) && Array.isArray(body['details']) ? (body['details'] as unknown[]) : body;
  const bookings: unknown[] = Array.isArray(listed) ? listed : [listed];
  return bookings.flatMap((one) => (isObject(one) && typeof one['teetime'] === 'string' ? [one['teetime']] : []));
}

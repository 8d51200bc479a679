import { isObject } from '../exchange.js';
import {
  accepted,
  bothForms,
  delivered,
  search,
  type Started,
  strangeResult,
  strangeSearch,
} from '../journeys/searches.js';
import { UNKNOWN_ID } from '../journeys/unknown-id.js';
import { Finding, Inconclusive } from '../outcome.js';
import type { RuleId } from '../../generated/rule-basis.js';
import type { Param } from '../request.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';

const needs = ['callbacks'] as const;

/** Values that a parameter of a search cannot have. */
const wrong: Readonly<Record<string, readonly Param[]>> = {
  facilityIds: ['abc'],
  fromDate: ['soon', '31-02-2027'],
  toDate: ['soon', '31-02-2027'],
  players: [0, 5, 'two'],
  holes: [10, 'all'],
  callbackUrl: ['nowhere'],
};

function parameterRule(name: string): RuleSpec {
  return defineRule({
    id: `search.query.${name}` as RuleId,
    needs,
    async run(context) {
      const { params, reply } = await accepted(context.session);
      for (const value of [undefined, ...wrong[name]!]) {
        const how = value === undefined ? 'without' : `with \`${value}\` as`;
        const probe = { operation: 'v5.searchTeeTimes', params: { ...params, [name]: value } } as const;
        await context.refuses(probe, reply, `A search is accepted ${how} \`${name}\`.`);
      }
    },
  });
}

async function judgeRequest({ session, expect, observe }: RuleContext): Promise<void> {
  const { query, iso } = await bothForms(session);
  const statuses = [query, iso].map(({ reply }) => reply.status);
  if (statuses.every((status) => [404, 405, 410, 501].includes(status))) {
    throw new Finding('No search is started by GET /api/v5/teetimes.', 'an acknowledgement', statuses.join(', '));
  }
  const { reply } = await accepted(session);
  expect.succeeds(reply, 'A search is not accepted.');
  const { status } = reply;
  if (status === 200 || status === 202) observe('success.accepted-status', status);
}

/** A form is taken where the search is accepted and finds something: one misread finds nothing. */
async function judgeDates({ session, observe }: RuleContext): Promise<void> {
  const forms = await bothForms(session);
  const taken = async ({ reply, ...rest }: Started): Promise<boolean> => {
    if (!reply.ok) return false;
    const [result] = await delivered(session, { reply, ...rest });
    const data = isObject(result?.json) ? result.json['data'] : undefined;
    return !Array.isArray(data) || data.some((one) => isObject(one) && !isEmpty(one['teeTimeV3']));
  };
  const [day, year] = [await taken(forms.query), await taken(forms.iso)];
  if (!day && !year) throw new Inconclusive('precondition', `an accepted search (it was ${forms.query.reply.status})`);
  observe('search.date-format', day && year ? 'both' : day ? 'dd-mm-yyyy' : 'yyyy-mm-dd');
}

async function judgeAsynchronous({ session, expect }: RuleContext): Promise<void> {
  const { reply } = await accepted(session);
  const holds = Array.isArray(reply.data) || (isObject(reply.data) && 'teeTimeV3' in reply.data);
  expect.that(!holds, 'The answer to a search holds its result.', { expected: null, actual: reply.data });
  const { results } = await search(session);
  const posted = results.some(({ json }) => isObject(json) && 'data' in json);
  expect.that(posted, 'What is posted for a search is not its result.', { actual: results[0]?.text.slice(0, 200) });
}

async function judgeUnknown({ session, observe }: RuleContext): Promise<void> {
  const started = await strangeSearch(session);
  if (!started.reply.ok) {
    if (started.reply.status < 500) observe('search.unknown-facility', 'refused');
    return;
  }
  const result = await strangeResult(session);
  const data = isObject(result) ? result['data'] : undefined;
  const of = Array.isArray(data) ? data.filter(isObject).find((one) => one['facilityId'] === UNKNOWN_ID) : undefined;
  if (!of || isEmpty(of['teeTimeV3'])) observe('search.unknown-facility', 'empty');
}

const isEmpty = (list: unknown): boolean => Array.isArray(list) && list.length === 0;

/** Rules of the search over several facilities, up to its acknowledgement. */
export const searchRules: readonly RuleSpec[] = [
  defineRule({ id: 'search.request', needs, run: judgeRequest }),
  ...Object.keys(wrong).map(parameterRule),
  defineRule({ id: 'search.date-format', needs, run: judgeDates }),
  defineRule({ id: 'search.asynchronous', needs, run: judgeAsynchronous }),
  defineRule({ id: 'search.unknown-facility', needs, run: judgeUnknown }),
];

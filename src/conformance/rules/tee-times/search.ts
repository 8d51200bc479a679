import { isObject } from '../../../common/index.js';
import {
  acceptedSearch,
  bothForms,
  resultsOf,
  search,
  type StartedSearch,
  startSearch,
  resultOfUnknownFacility,
  searchOfUnknownFacility,
  usualDelay,
} from '../../journeys/searches.js';
import { UNKNOWN_ID } from '../../journeys/material.js';
import { Finding, Inconclusive, Refused } from '../../client/outcome.js';
import { type RuleId, readBody, operationOf } from '../../../contract/index.js';
import type { Param } from '../../client/request.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import { operationIn } from '../../client/operations.js';

const needs = ['callbacks'] as const;

type Changes = Readonly<Record<string, Param>>;

/** Values beyond the limits of each parameter of a search. */
const wrong: Readonly<Record<string, readonly Param[]>> = {
  facilityIds: [],
  fromDate: [],
  toDate: [],
  players: [0, 5, 'two'],
  holes: [10, 'all'],
};

/** Values of another form. A service may find out about them after its acknowledgement. */
const malformed: readonly Changes[] = [
  { facilityIds: 'abc' },
  { fromDate: 'soon' },
  { toDate: '31-02-2027' },
  { callbackUrl: 'nowhere' },
];

async function checkForm(context: RuleContext): Promise<void> {
  const { params, reply } = await acceptedSearch(context.session);
  for (const one of malformed) {
    const [[name, value]] = Object.entries(one) as [[string, Param]];
    // A lenient deployment delivers a result, which must not count as a second one of another search.
    const { url: callbackUrl } = await context.session.callbackAddress();
    const probe = { operation: operationIn('searchTeeTimes'), params: { ...params, callbackUrl, [name]: value } };
    await context.refuses(probe, reply, `A search is accepted with \`${value}\` as \`${name}\`.`);
    closeWithSearch(context);
  }
}

/** A right search follows all that a rule sends. */
function closeWithSearch(context: RuleContext): void {
  context.closeWith('search', async () => {
    const { asked, form } = await acceptedSearch(context.session);
    const { reply } = await startSearch(context.session, asked, form);
    if (!reply.ok) throw new Refused(reply, 'control-failed');
  });
}

function parameterRule(name: string): RuleSpec {
  return defineRule({
    id: `search.query.${name}` as RuleId,
    needs,
    async run(context) {
      for (const value of [undefined, ...wrong[name]!]) {
        const how = value === undefined ? 'without' : `with \`${value}\` as`;
        await notSearched(context, { [name]: value }, `A search is accepted ${how} \`${name}\`.`);
      }
    },
  });
}

/**
 * Sends a search that lacks something. A service may acknowledge it and find out later, so only a result shows that it
 * was accepted. The result goes to an address of its own, so that no other rule takes it for that of another search.
 */
async function notSearched(context: RuleContext, changes: Changes, what: string): Promise<void> {
  const { session, expect } = context;
  const { params, reply: control } = await acceptedSearch(session);
  const address = await session.callbackAddress();
  const probe = {
    operation: operationIn('searchTeeTimes'),
    params: { ...params, callbackUrl: address.url, ...changes },
  };
  const reply = await context.probe(probe);
  session.exchanges.add(control.id);
  closeWithSearch(context);
  if (!reply.ok) return expect.refused(reply, what);
  await address.wait(1, await usualDelay(session));
  const [delivery] = address.deliveries;
  const { json } = delivery ? readBody(200, delivery.text) : {};
  const result = isObject(json) && json['success'] === true && Array.isArray(json['data']) ? json['data'] : [];
  const found = result.flatMap((one: unknown) => (isObject(one) ? one['teeTimeV3'] : []));
  expect.that(found.length === 0, what, {
    expected: 'a refusal, or no tee times',
    actual: `${found.length} tee times`,
  });
}

async function checkRequest({ session, expect, observe }: RuleContext): Promise<void> {
  const { query, iso } = await bothForms(session);
  const statuses = [query, iso].map(({ reply }) => reply.status);
  if (statuses.every((status) => [404, 405, 410, 501].includes(status))) {
    throw new Finding(
      `No search is started by GET ${operationOf(operationIn('searchTeeTimes')).path}.`,
      'an acknowledgement',
      { statuses },
    );
  }
  const { reply } = await acceptedSearch(session);
  expect.succeeds(reply, 'A search is not accepted.');
  const { status } = reply;
  if (status === 200 || status === 202) observe('success.accepted-status', status);
}

/** A date form is accepted if the search succeeds and finds tee times: a misread date finds none. */
async function checkDates({ session, observe }: RuleContext): Promise<void> {
  const forms = await bothForms(session);
  const taken = async ({ reply, ...rest }: StartedSearch): Promise<boolean> => {
    if (!reply.ok) return false;
    const [result] = await resultsOf(session, { reply, ...rest });
    const data = isObject(result?.json) ? result.json['data'] : undefined;
    return !Array.isArray(data) || data.some((one) => isObject(one) && !isEmpty(one['teeTimeV3']));
  };
  const [day, year] = [await taken(forms.query), await taken(forms.iso)];
  if (!day && !year)
    throw new Inconclusive('precondition', `an accepted search (the status was ${forms.query.reply.status})`);
  observe('search.date-format', day && year ? 'both' : day ? 'dd-mm-yyyy' : 'yyyy-mm-dd');
}

async function checkAsynchronous({ session, expect }: RuleContext): Promise<void> {
  const { reply } = await acceptedSearch(session);
  const holds = Array.isArray(reply.data) || (isObject(reply.data) && 'teeTimeV3' in reply.data);
  expect.that(!holds, 'The answer to a search holds its result.', { expected: null, actual: reply.data });
  const { results } = await search(session);
  const posted = results.some(({ json }) => isObject(json) && 'data' in json);
  expect.that(posted, 'What is posted for a search is not its result.', { actual: results[0]?.text.slice(0, 200) });
}

async function checkUnknown({ session, observe }: RuleContext): Promise<void> {
  const started = await searchOfUnknownFacility(session);
  if (!started.reply.ok) {
    if (started.reply.status < 500) observe('search.unknown-facility', 'refused');
    return;
  }
  const result = await resultOfUnknownFacility(session);
  const data = isObject(result) ? result['data'] : undefined;
  const of = Array.isArray(data) ? data.filter(isObject).find((one) => one['facilityId'] === UNKNOWN_ID) : undefined;
  if (!of || isEmpty(of['teeTimeV3'])) observe('search.unknown-facility', 'empty');
}

const isEmpty = (list: unknown): boolean => Array.isArray(list) && list.length === 0;

/** Rules of the search for several facilities, up to its acknowledgement. */
export const searchRules: readonly RuleSpec[] = [
  defineRule({ id: 'search.request', needs, run: checkRequest }),
  ...Object.keys(wrong).map(parameterRule),
  defineRule({
    id: 'search.query.callbackUrl',
    needs,
    async run(context) {
      const { params, reply } = await acceptedSearch(context.session);
      const probe = { operation: operationIn('searchTeeTimes'), params: { ...params, callbackUrl: undefined } };
      await context.refuses(probe, reply, 'A search is accepted without `callbackUrl`.');
      closeWithSearch(context);
    },
  }),
  defineRule({ id: 'search.query.form', needs, run: checkForm }),
  defineRule({ id: 'search.date-format', needs, run: checkDates }),
  defineRule({ id: 'search.asynchronous', needs, run: checkAsynchronous }),
  defineRule({ id: 'search.unknown-facility', needs, run: checkUnknown }),
];

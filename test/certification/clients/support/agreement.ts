import type { GivenAnswers } from '../../../../src/contract/generated/questions.js';
import { answersOf } from '../../../../src/engine/state/dialect.js';
import { type Agreement, usualAgreement, type Version } from '../partner/host.js';

/** What the operator of a deployment would tell a partner who asks what the API specification leaves open. */
export function agreementFor(given: GivenAnswers = {}): Partial<Agreement> {
  const answers = answersOf({ answers: given });
  const schemes = Object.entries(answers['auth.schemes']) as [Version, string][];
  return {
    bearerHeader: answers['auth.bearer-header'],
    basicVersions: schemes.flatMap(([version, scheme]) => (scheme === 'basic' ? [version] : [])),
    tokenVersion: answers['token.versions'].at(-1)!,
    contact: answers['booking.contact'] === 'single' ? 'single' : 'fields',
    mostPriceDays: Math.min(7, answers['prices.max-days']),
    mostSearchDays: Math.min(100, answers['search.max-facility-days']),
    pageSize: Math.min(usualAgreement.pageSize, answers['prices.max-limit'] || usualAgreement.pageSize),
  };
}

import { rules as catalogue } from '../../generated/catalogue.js';
import { type OperationId, operations } from '../../generated/operations.js';
import type { RuleId } from '../../generated/rule-basis.js';
import { Contract, type Schema } from '../contract.js';
import type { Evidence } from '../evidence.js';
import { gather } from '../evidence.js';
import { shown } from '../expect.js';
import { answerRule, fieldRule, type Origin } from '../fields.js';
import { Finding, Inconclusive, NotAllowed } from '../outcome.js';
import { operationOf } from '../request.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';

const origins: readonly Origin[] = [...operations.map(({ id }): OperationId => id), 'callback'];

/** Which answers can have the field of each rule, by the schemas of the contract. */
function sources(): ReadonlyMap<RuleId, ReadonlySet<Origin>> {
  const contract = new Contract();
  const found = new Map<RuleId, Set<Origin>>();
  const note = (rule: RuleId | undefined, origin: Origin): void => {
    if (rule) found.set(rule, (found.get(rule) ?? new Set()).add(origin));
  };
  for (const origin of origins) {
    note(answerRule(origin), origin);
    const visit = (schema: Schema, place: string, above: readonly string[]): void => {
      const { name, schema: own } = contract.deref(schema);
      if (name !== undefined && above.includes(name)) return;
      const at = name ?? place;
      const path = name === undefined ? above : [...above, name];
      for (const [field, property] of Object.entries(own.properties ?? {})) {
        note(fieldRule(origin, { schema: at, field }), origin);
        visit(property, at === '' ? '' : `${at}.${field}`, path);
      }
      for (const part of [own.items, ...(own.prefixItems ?? []), ...(own.anyOf ?? []), ...(own.oneOf ?? [])]) {
        if (part) visit(part, at, path);
      }
    };
    visit(origin === 'callback' ? { $ref: 'SearchResult' } : contract.answer(origin).schema, '', []);
  }
  return found;
}

/**
 * A rule for every field of an answer that the catalogue has, and for the answer of every operation as a whole. They
 * judge what the run has seen; a rule written by hand for the same id takes the place of one of these.
 */
export function formRules(evidence: () => Evidence): RuleSpec[] {
  const basis = new Map(catalogue.map((rule) => [rule.id, rule.basis]));
  return [...sources()]
    .filter(([id]) => basis.get(id) !== 'open')
    .map(([id, from]) =>
      defineRule({ id, phase: 'evidence', run: (context) => judgeForm(context, evidence(), [...from]) }),
    );
}

async function judgeForm(context: RuleContext, evidence: Evidence, from: readonly Origin[]): Promise<void> {
  const { id } = context.rule as { id: RuleId };
  const lacks: (Inconclusive | NotAllowed)[] = [];
  for (const origin of from) {
    const lack = evidence.answersOf(origin).length > 0 ? undefined : await gather(context.session, origin);
    if (lack) lacks.push(lack);
  }
  const { seen, exchanges, faults } = evidence.of(id);
  const whole = from.filter((origin) => answerRule(origin) === id).flatMap((origin) => evidence.answersOf(origin));
  const [first] = faults;
  if (first) {
    for (const { exchange } of faults) context.session.exchanges.add(exchange);
    const times = faults.length > 1 ? ` (${faults.length} times)` : '';
    throw new Finding(`${first.at || 'The answer'} ${first.message}${times}.`, first.message, shown(first.value));
  }
  // Every exchange would be a long list that tells no more than one of each operation.
  for (const exchange of [...exchanges, ...whole].slice(0, 5)) context.session.exchanges.add(exchange);
  const judged = seen + whole.length;
  if (judged > 0) return context.expect.that(true, `seen ${judged} times`);
  const names = [...new Set(from.map((origin) => (origin === 'callback' ? origin : operationOf(origin).name)))];
  const denied = lacks.some((lack) => lack instanceof NotAllowed);
  if (lacks.length < from.length && !denied) {
    throw new Inconclusive('no-data', `an answer that has it (${names.join(', ')})`);
  }
  throw lacks.find((lack) => lack instanceof Inconclusive) ?? lacks[0]!;
}

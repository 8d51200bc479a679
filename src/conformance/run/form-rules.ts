import { rules as catalogue, type OperationId, operations, optional, type RuleId } from '../../contract/index.js';
import { Contract, type Schema } from '../client/contract.js';
import { type Evidence, type FormOf, gather } from './evidence.js';
import { answerRule, fieldRule, operationOfOrigin, type Origin } from './fields.js';
import { Finding, Inconclusive, NotAllowed } from '../client/outcome.js';
import { expectAccepted } from './refusals/right-requests.js';
import { operationOf } from '../client/request.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rules/rule.js';

const origins: readonly Origin[] = [...operations.map(({ id }): OperationId => id), 'callback'];

/** Where the field of a rule can be. */
interface Sources {
  readonly from: Set<Origin>;
  /** Whether a deployment may omit the field, or an object around it, in every answer. */
  isOptional: boolean;
  /** The objects that may omit it. */
  readonly homes: Set<string>;
}

/** The answers that can have the field of each rule, by the schemas of the contract. */
function sources(): ReadonlyMap<RuleId, Sources> {
  const contract = new Contract();
  const found = new Map<RuleId, Sources>();
  const note = (rule: RuleId | undefined, origin: Origin, home?: string): void => {
    if (!rule) return;
    const known: Sources = found.get(rule) ?? { from: new Set(), isOptional: true, homes: new Set() };
    known.from.add(origin);
    known.isOptional &&= home !== undefined;
    if (home !== undefined) known.homes.add(home);
    found.set(rule, known);
  };
  for (const origin of origins) {
    note(answerRule(origin), origin);
    const visit = (schema: Schema, position: string, above: readonly string[], home?: string): void => {
      const { name, schema: own } = contract.deref(schema);
      if (name !== undefined && above.includes(name)) return;
      const at = name ?? position;
      const path = name === undefined ? above : [...above, name];
      for (const [field, property] of Object.entries(own.properties ?? {})) {
        const holder = home ?? (optional[at]?.includes(field) ? at : undefined);
        note(fieldRule(origin, { schema: at, field }), origin, holder);
        visit(property, at === '' ? '' : `${at}.${field}`, path, holder);
      }
      for (const part of [own.items, ...(own.prefixItems ?? []), ...(own.anyOf ?? []), ...(own.oneOf ?? [])]) {
        if (part) visit(part, at, path, home);
      }
    };
    visit(origin === 'callback' ? { $ref: 'SearchResult' } : contract.answer(origin).schema, '', []);
  }
  return found;
}

/**
 * A rule for every answer field in the catalogue, and for the whole answer of every operation. They judge
 * all answers of the run. A rule written by hand for the same id replaces one of these.
 */
export function formRules(evidence: () => Evidence): RuleSpec[] {
  const basis = new Map(catalogue.map((rule) => [rule.id, rule.basis]));
  return [...sources()]
    .filter(([id]) => basis.get(id) !== 'open')
    .map(([id, from]) =>
      defineRule({
        id,
        phase: 'evidence',
        concern: 'form',
        run: (context) => judgeForm(context, evidence(), from),
      }),
    );
}

/** What other fields may have in common with a fault: values of one kind where another is due. */
function causeOf({ message, value, origin }: FormOf['faults'][number], rule: RuleId): string {
  const where = operationOfOrigin(origin);
  if (value === undefined) return `a field is missing in the answers of ${where}`;
  if (value === null) return `null where the answers of ${where} must have a value`;
  return `${message}, and is ${kindOf(value)} (${rule.split('.', 1)[0]})`;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Throws a finding for the faults of a rule, if there are any. */
function report({ session }: RuleContext, id: RuleId, { faults, times: all }: FormOf): void {
  const [first] = faults;
  if (!first) return;
  for (const { exchange } of faults) session.exchanges.add(exchange);
  const times = all > 1 ? ` (${all} times)` : '';
  const operations = [...new Set(faults.map(({ origin }) => operationOfOrigin(origin)))].sort();
  throw new Finding(`${first.at || 'The answer'} ${first.message}${times}.`, first.message, first.value, {
    at: first.at,
    cause: causeOf(first, id),
    operations,
    shownBy: first.exchange,
  });
}

async function judgeForm(
  context: RuleContext,
  evidence: Evidence,
  { from: all, isOptional, homes }: Sources,
): Promise<void> {
  const from = [...all];
  const { id } = context.rule as { id: RuleId };
  const lacks: (Inconclusive | NotAllowed)[] = [];
  // Gathering one answer may bring another one, but not all its forms: what is missing is decided first.
  const missing = new Set(from.filter((one) => evidence.answersOf(one).length === 0));
  for (const origin of from) {
    const lack = missing.has(origin) ? await gather(context.session, origin) : undefined;
    if (lack) lacks.push(lack);
    const isOutside = lack instanceof Inconclusive && lack.reason === 'out-of-scope';
    if (answerRule(origin) === id && !isOutside) await expectAccepted(context.session, origin);
  }
  const found = evidence.of(id);
  const { seen, exchanges } = found;
  const whole = from.filter((origin) => answerRule(origin) === id).flatMap((origin) => evidence.answersOf(origin));
  report(context, id, found);
  // A few exchanges are enough: a full list would be long and say no more.
  for (const exchange of [...exchanges, ...whole].slice(0, 5)) context.session.exchanges.add(exchange);
  const judged = seen + whole.length;
  if (judged > 0) return context.expect.that(true, `seen ${judged} times`);
  const without = isOptional ? evidence.answersWith(homes) : [];
  if (without.length > 0) {
    for (const exchange of without.slice(0, 5)) context.session.exchanges.add(exchange);
    return context.expect.that(seen === 0, 'No answer has the field, and none has to.');
  }
  const names = [...new Set(from.map((origin) => (origin === 'callback' ? origin : operationOf(origin).name)))];
  const denied = lacks.some((lack) => lack instanceof NotAllowed);
  if (lacks.length < from.length && !denied) {
    throw new Inconclusive('no-data', `an answer that has it (${names.join(', ')})`);
  }
  const inside = lacks.filter(({ reason }) => reason !== 'out-of-scope');
  throw inside.find((lack) => lack instanceof Inconclusive) ?? inside[0] ?? lacks[0]!;
}

import { hasFailed, type RequestRow } from '../../data/request-log.js';

/** What came of a request, in a sentence: a head such as `Refused`, and the reason behind it. */
export interface Outcome {
  readonly head: string;
  readonly reason?: string;
}

/** The scenario that a request triggered; undefined if none was triggered. */
export function triggeredScenario({ scenario }: Pick<RequestRow, 'scenario'>): string | undefined {
  return scenario?.struck ? scenario.id : undefined;
}

/** Whether the change was made, and the response does not say so. */
export function isUnknown({ scenario }: Pick<RequestRow, 'scenario'>): boolean {
  return scenario?.struck === true && scenario.phase === 'after-commit';
}

/** The two halves of a request that failed behind its commit. */
export interface Halves {
  /** What its client was told. */
  readonly told: string;
  /** What is true. */
  readonly truth: string;
}

const truths: readonly (readonly [of: RegExp, truth: string])[] = [
  [/\.create(Bulk)?Booking$/, 'booked'],
  [/\.confirm(Bulk)?Payment\b/, 'the payment is confirmed'],
];

/** What a client was told and what is true, where that differs; undefined for every other request. */
export function halvesOf(row: Pick<RequestRow, 'operation' | 'scenario' | 'state' | 'status'>): Halves | undefined {
  if (!isUnknown(row) || !hasFailed(row)) return undefined;
  const [, truth = 'carried out'] = truths.find(([of]) => of.test(row.operation ?? '')) ?? [];
  return { told: row.state === 'cut' ? 'nothing' : String(row.status), truth };
}

/** What came of a request. */
export function outcomeOf(row: RequestRow): Outcome {
  const { state, status, detail, warnings = [] } = row;
  const triggered = triggeredScenario(row);
  const reason = triggered === undefined ? detail : scenarioWords(row);
  const halves = halvesOf(row);
  if (halves) return { head: `Told ${halves.told}, yet ${halves.truth}`, reason: scenarioWords(row) };
  if (state === 'open') return { head: 'Waiting', reason: 'there is no response yet' };
  if (state === 'cut') return { head: 'No response', reason: reason ?? 'the connection ended' };
  if (hasFailed(row)) return { head: status >= 500 ? 'Failed' : 'Refused', ...(reason && { reason }) };
  const said = reason ?? warnings[0];
  return { head: 'Answered', ...(said && { reason: said }) };
}

const sources: Readonly<Record<string, string>> = {
  header: 'by its header',
  body: 'by its body',
  facility: 'by its facility',
  plan: 'by a plan',
  chaos: 'by chaos',
};

function scenarioWords({ scenario }: RequestRow): string {
  const { id, source, phase } = scenario!;
  const after = phase === 'after-commit' ? ' after the commit' : '';
  return `scenario \`${id}\`${after}, ${sources[source] ?? source}`;
}

/** The failures that are the same have the same key; undefined for a request that did not fail. */
function failureOf(row: RequestRow): string | undefined {
  if (!hasFailed(row)) return undefined;
  const { operation, method, path, status, rule } = row;
  return [operation ?? `${method} ${path}`, status, triggeredScenario(row) ?? rule].join(' ');
}

/** What a failure is called: its scenario or its rule, without what all rules of its kind begin with. */
export function failureName(row: RequestRow): string {
  return triggeredScenario(row) ?? row.rule?.replace(/^errors\.(create\.)?/, '') ?? String(row.status || 'no response');
}

/** A row of the list: a request, or several of the same failure that are shown as one. */
export interface ListRow {
  readonly key: string;
  /** The request, or the newest of them. */
  readonly row: RequestRow;
  /** Of several: all of them. */
  readonly fold?: readonly RequestRow[];
  /** Of several: whether each has a row of its own below. */
  readonly open?: boolean;
  /** It is one of several, whose row is above it. */
  readonly member?: boolean;
}

/** From how many on they fold: two are no more to read than the one that stands for them. */
const LEAST = 3;

/** Folds requests that failed alike one after the other. `open` has the keys of those that are unfolded. */
export function folded(rows: readonly RequestRow[], open: ReadonlySet<string>): ListRow[] {
  const found: ListRow[] = [];
  for (let from = 0; from < rows.length;) {
    const failure = failureOf(rows[from]!);
    const isAlike = (row: RequestRow) => failure !== undefined && failureOf(row) === failure;
    let to = from + 1;
    while (to < rows.length && isAlike(rows[to]!)) to += 1;
    const run = rows.slice(from, to);
    if (run.length < LEAST) found.push(...run.map((row) => ({ key: row.id, row })));
    else {
      // The oldest stays the oldest while others come.
      const key = `fold-${run.at(-1)!.id}`;
      found.push({ key, row: run[0]!, fold: run, open: open.has(key) });
      if (open.has(key)) found.push(...run.map((row) => ({ key: row.id, row, member: true })));
    }
    from = to;
  }
  return found;
}

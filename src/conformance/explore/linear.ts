/** An operation of a history: between its start and its end, at one moment, it took effect. */
export interface Call<Op> {
  readonly op: Op;
  /** Numbers of events: one operation was over before another one began if its end is lower than the other's start. */
  readonly start: number;
  readonly end: number;
}

/** What an object does, without concurrency. */
export interface SequentialModel<State, Op> {
  /** The states after an operation with its answer; none where the object would never answer so. */
  next(state: State, op: Op): readonly State[];
  /** What tells two states apart. */
  keyOf(state: State): string;
}

/** Steps of a search. Histories of a walk are small; a longer search says nothing. */
const MOST_STEPS = 50_000;
/** Operations of a history: the search keeps them as bits of a number. */
const MOST_CALLS = 30;

/**
 * Whether the operations have an order that is compatible with real time and in which the object gives these answers
 * (linearizability; Herlihy and Wing 1990, searched as by Wing and Gong with the memory of Lowe).
 *
 * @returns The states after such an order; none if there is no order, undefined if the search was given up.
 */
export function explained<State, Op>(
  calls: readonly Call<Op>[],
  initial: State,
  model: SequentialModel<State, Op>,
): readonly State[] | undefined {
  if (calls.length > MOST_CALLS) return undefined;
  const everything = 2 ** calls.length - 1;
  const seen = new Set<string>();
  const ends = new Map<string, State>();
  const open: { readonly done: number; readonly state: State }[] = [{ done: 0, state: initial }];
  for (let place = open.pop(), steps = 0; place; place = open.pop(), steps += 1) {
    if (steps > MOST_STEPS) return undefined;
    const { done, state } = place;
    if (done === everything) ends.set(model.keyOf(state), state);
    for (const at of firsts(calls, done)) {
      for (const after of model.next(state, calls[at]!.op)) {
        const key = `${done | (1 << at)} ${model.keyOf(after)}`;
        if (!seen.has(key) && seen.add(key)) open.push({ done: done | (1 << at), state: after });
      }
    }
  }
  return [...ends.values()];
}

/** The operations that may come next: none of those left was over before they began. */
function firsts(calls: readonly Call<unknown>[], done: number): readonly number[] {
  const left = calls.map((_, at) => at).filter((at) => (done & (1 << at)) === 0);
  const firstEnd = Math.min(...left.map((at) => calls[at]!.end));
  return left.filter((at) => calls[at]!.start <= firstEnd);
}

import type { Server } from './children.js';
import { Load, type NextRequest } from './load.js';
import { processorTime } from './processor.js';
import { median, quartiles, type Row } from './report.js';

/** A server in a comparison and what it is asked. */
export interface Side {
  readonly server: Server;
  readonly next: NextRequest;
  /** In a round. Default: as many as the others. */
  readonly requests?: number;
}

/** What the rounds of one side gave. */
export interface Measured {
  /** Requests a second, round by round. */
  readonly rates: readonly number[];
  /** Microseconds of processor time a request, round by round; not a number where the system does not tell. */
  readonly costs: readonly number[];
  /** Share of a core that the server kept busy: far below 1 it was waiting, for the load or for the machine. */
  readonly busy: number;
}

/** Runs rounds in turns, so that what disturbs the machine disturbs every side; the first are not counted. */
export async function alternate(
  sides: readonly Side[],
  rounds: number,
  requests: number,
  warmUp = WARM_UP_ROUNDS,
): Promise<Measured[]> {
  const runs = sides.map(({ server }) => ({
    load: new Load(server.url),
    rates: [] as number[],
    costs: [] as number[],
    seconds: 0,
  }));
  try {
    for (let round = -warmUp; round < rounds; round += 1) {
      for (const [index, run] of runs.entries()) {
        const { server, next, requests: own = requests } = sides[index]!;
        const before = processorTime(server.pid) ?? Number.NaN;
        const seconds = await run.load.run(next, round < 0 ? Math.min(requests, own * WARM_UP_FACTOR) : own);
        if (round < 0) continue;
        run.rates.push(own / seconds);
        run.costs.push((((processorTime(server.pid) ?? Number.NaN) - before) * 1e6) / own);
        run.seconds += seconds;
      }
    }
  } finally {
    for (const { load } of runs) load.close();
  }
  return runs.map(({ rates, costs, seconds }, index) => ({
    rates,
    costs,
    busy: (costs.reduce((sum, cost) => sum + cost, 0) * (sides[index]!.requests ?? requests)) / 1e6 / seconds,
  }));
}

export const WARM_UP_ROUNDS = 2;
/** A slow server, which is asked less, warms up for longer than it is measured. */
const WARM_UP_FACTOR = 3;

/**
 * What a side gets done beside its reference in a second of processor time, round by round: it holds on a busy
 * machine, where what is done in a second of time does not.
 */
export function ratios(side: Measured, reference: Measured): number[] {
  const byCost = side.costs.map((cost, round) => reference.costs[round]! / cost);
  if (!byCost.some(Number.isNaN)) return byCost;
  return side.rates.map((rate, round) => rate / reference.rates[round]!);
}

/** One line of the report: a side beside its reference, by the median of the ratios of neighbouring rounds. */
export function compared(name: string, side: Measured, reference: Measured, target?: number): Row {
  const found = ratios(side, reference);
  const ratio = median(found);
  return {
    case: name,
    ratio: ratio.toFixed(2),
    spread: quartiles(found)
      .map((value) => value.toFixed(2))
      .join('-'),
    target: target ?? '',
    reached: target === undefined ? '' : ratio >= target ? 'yes' : 'no',
    'cpu us': shown(median(side.costs), 1),
    'bare us': shown(median(reference.costs), 1),
    'requests/s': Math.round(median(side.rates)),
    'bare/s': Math.round(median(reference.rates)),
    busy: shown(side.busy, 2),
    'bare busy': shown(reference.busy, 2),
  };
}

function shown(value: number, digits: number): string {
  return Number.isNaN(value) ? '' : value.toFixed(digits);
}

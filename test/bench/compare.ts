import { processorTime, type Server } from './children.js';
import { Load, type NextRequest } from './load.js';
import { median, type Row } from './report.js';

/** A server in a comparison and what it is asked. */
export interface Side {
  readonly server: Server;
  readonly next: NextRequest;
}

/** What the rounds of one side gave. */
export interface Measured {
  /** Requests a second, round by round. */
  readonly rates: readonly number[];
  /** Microseconds of processor time a request; undefined where the system does not tell. */
  readonly cpu: number | undefined;
  /** Share of a core that the server kept busy: below 0.8 it was waiting for the load. */
  readonly busy: number | undefined;
}

/** Runs rounds in turns, so that what disturbs the machine disturbs every side; the first two are not counted. */
export async function alternate(sides: readonly Side[], rounds: number, requests: number): Promise<Measured[]> {
  const runs = sides.map(({ server }) => ({ load: new Load(server.url), rates: [] as number[], cpu: 0, seconds: 0 }));
  try {
    for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
      for (const [index, run] of runs.entries()) {
        const { server, next } = sides[index]!;
        const before = processorTime(server.pid) ?? Number.NaN;
        const seconds = await run.load.run(next, requests);
        if (round < 0) continue;
        run.rates.push(requests / seconds);
        run.cpu += (processorTime(server.pid) ?? Number.NaN) - before;
        run.seconds += seconds;
      }
    }
  } finally {
    for (const { load } of runs) load.close();
  }
  return runs.map(({ rates, cpu, seconds }) => ({
    rates,
    cpu: Number.isNaN(cpu) ? undefined : (cpu * 1e6) / (rounds * requests),
    busy: Number.isNaN(cpu) ? undefined : cpu / seconds,
  }));
}

export const WARM_UP_ROUNDS = 2;

/** One line of the report: a side beside its reference, by the median of the ratios of neighbouring rounds. */
export function compared(name: string, side: Measured, reference: Measured, target?: number): Row {
  const ratios = side.rates.map((rate, round) => rate / reference.rates[round]!);
  const ratio = median(ratios);
  return {
    case: name,
    'teebox/s': Math.round(median(side.rates)),
    'bare/s': Math.round(median(reference.rates)),
    ratio: ratio.toFixed(2),
    spread: `${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`,
    target: target ?? '',
    reached: target === undefined ? '' : ratio >= target ? 'yes' : 'no',
    'cpu us': side.cpu?.toFixed(1) ?? '',
    'bare us': reference.cpu?.toFixed(1) ?? '',
    busy: side.busy?.toFixed(2) ?? '',
    'bare busy': reference.busy?.toFixed(2) ?? '',
  };
}

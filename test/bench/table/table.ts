import type { BareRoute } from '../bare-hono.js';
import { barePrograms, bareRoutes, startServer } from '../children.js';
import { type Measured, ratios } from '../compare.js';
import { startLogged } from './start.js';
import { median, quartiles, type Row, type Section } from '../report.js';
import { keptAnswers } from './cases.js';
import { type Contender, type Contest, contest } from './contest.js';

const logs = ['silent', 'default'] as const;
const logNames = { silent: 'Teebox, `--log-level silent`', default: 'Teebox, default log' } as const;
const targets = { 'ready after': '< 1.4 of bare' } as const;

/** Bare Hono with these answers, and Teebox with and without its log. */
export function ownContenders(kept: readonly BareRoute[]): Contender[] {
  const program = [barePrograms().bundled, bareRoutes(kept)];
  return [
    { name: 'bare Hono, precomputed responses', stateful: false, start: (pinned) => startServer(program, { pinned }) },
    ...logs.map((log) => ({
      name: logNames[log],
      stateful: true,
      start: (pinned: boolean) => startLogged({ log, pinned }),
    })),
  ];
}

/** The answers of Teebox to the requests of the table. */
export async function answersOfTeebox(): Promise<BareRoute[]> {
  const source = await startLogged({ log: 'silent' });
  return keptAnswers(source).finally(() => source.stop());
}

/** The table of the documentation: Teebox with and without its log beside bare Hono, and the figures behind it. */
export async function measureTable(rounds: number): Promise<Section[]> {
  const found = await contest(ownContenders(await answersOfTeebox()), rounds);
  const wanted = logs.map((log) => ({
    '': `target, ${log === 'default' ? 'default log' : log}`,
    ...Object.fromEntries([...found.cases.keys()].map((one) => [one.title, one.targets[log].toFixed(2)])),
    ...targets,
  }));
  return [{ title: 'Beside bare Hono', rows: [...tableRows(found), ...wanted], note: tableNote }, detailsOf(found)];
}

export const tableNote =
  "Requests per second of the server's CPU time, as ratio to bare Hono in the same run; 32 connections, the " +
  'contenders in turns, the median of the ratios of neighbouring rounds. The bodies of bookings are all different.';

/** The rows of what was measured, by the names of the columns. */
export function tableRows({ contenders, cases, ready, memory }: Contest): Row[] {
  return contenders.map(({ name }, index) => ({
    '': name,
    ...Object.fromEntries([...cases].map(([{ title }, sides]) => [title, ratioOf(sides, index)])),
    'ready after': `${median(ready[index]!).toFixed(0)} ms`,
    'RSS after load': memory[index] === undefined ? '' : `${memory[index].toFixed(0)} MB`,
  }));
}

function ratioOf(sides: readonly Measured[], index: number): string {
  const ratio = median(ratios(sides[index]!, sides[0]!));
  return ratio < 0.1 ? ratio.toFixed(3) : ratio.toFixed(2);
}

/** What the table stands on. */
export function detailsOf({ contenders, cases, ready }: Contest): Section {
  const reference = median(ready[0]!);
  const rows = [...cases].flatMap(([{ name }, sides]) =>
    sides.map((side, index): Row => {
      const within = ratios(side, sides[0]!);
      return {
        case: `${name}, ${contenders[index]!.name}`,
        'cpu us': median(side.costs).toFixed(1),
        'over bare us': index === 0 ? '' : (median(side.costs) - median(sides[0]!.costs)).toFixed(1),
        'requests/s': Math.round(median(side.rates)),
        ratio: median(within).toFixed(3),
        quartiles: quartiles(within)
          .map((value) => value.toFixed(2))
          .join('-'),
        busy: side.busy.toFixed(2),
      };
    }),
  );
  const starts = contenders.map(({ name }, index) => ({
    case: `start, ${name}`,
    ratio: (median(ready[index]!) / reference).toFixed(3),
    quartiles: quartiles(ready[index]!)
      .map((value) => `${value.toFixed(0)} ms`)
      .join('-'),
  }));
  const note =
    '`cpu us` is CPU time of the server per request; `quartiles` of the ratios shows how much the machine ' +
    'disturbed the run; a `busy` far below 1 says that the server waited for the load or for the machine.';
  return { title: 'Figures behind the table', rows: [...rows, ...starts], note };
}

import {
  annotations,
  type Exploration,
  exploreDeployment,
  type ExploreOptions,
  exploreReport,
  exploreReporters,
  planOf,
  type Progress,
  readWalk,
  summarize,
  testOf,
  withTexts,
} from '../../conformance/index.js';
import { defined, visible, visibleJson } from '../../common/index.js';
import type { Values } from '../args.js';
import { readJson } from '../json-file.js';
import type { Environment } from '../network/proxy.js';
import { lateReports, openResultFiles, type ResultFiles } from '../result-files.js';
import type { Terminal } from '../terminal.js';
import { version } from '../version.js';
import { checkOptionsOf, printPlan, tellLogin, tellUnused, withReceiver } from './check.js';
import type { exploreFlags } from './explore-flags.js';
import type { CheckValues } from './evaluation.js';

type ExploreValues = Values<typeof exploreFlags>;

/** Explores a deployment and returns the exit code. */
export async function exploreCommand(
  baseUrl: string,
  values: ExploreValues,
  terminal: Terminal,
  env: Environment,
): Promise<number> {
  const options = await exploreOptionsOf(baseUrl, values, env);
  tellUnused(values as CheckValues, options, terminal);
  if (values.plan)
    return printPlan(
      await planOf(options, (planned) => exploreDeployment({ ...options, ...planned, maxEvidence: Infinity })),
      terminal,
    );
  const output = await openOutput(values, terminal, env);
  // What was found, and what is left behind, is reported all the same.
  const signal = terminal.untilStopped();
  const run = { ...options, ...defined({ onProgress: output.onProgress }), signal };
  const exploration = await withReceiver(run, values, exploreDeployment);
  tellLogin(exploration, values as CheckValues, terminal, env);
  return output.finish(exploration);
}

async function exploreOptionsOf(baseUrl: string, values: ExploreValues, env: Environment): Promise<ExploreOptions> {
  const { walks, steps, parallel, seed, shrink, again } = values;
  const options = await checkOptionsOf(baseUrl, values as CheckValues, env, 'explore');
  const own = {
    walks,
    steps,
    parallel,
    seed,
    duration: values.for,
    shrink,
    again: again === undefined ? undefined : await readJson(again, 'walk', readWalk),
  };
  return { ...options, ...defined(own) };
}

interface ExploreOutput {
  readonly onProgress: ExploreOptions['onProgress'];
  finish(exploration: Exploration): Promise<number>;
}

/**
 * Opens the files for the results.
 *
 * @throws {UsageError} if a file cannot be written, before any request is sent.
 */
async function openOutput(values: ExploreValues, terminal: Terminal, env: Environment): Promise<ExploreOutput> {
  const { report: reports = [], save, leftovers, quiet = false, 'to-test': test } = values;
  const others = [save, test, leftovers].filter((path) => path !== undefined);
  const { write, ...shown } = await openResultFiles([...reports.map(({ file }) => file), ...others], terminal);
  const isLate = lateReports(values.deadline, reports.length);
  return {
    onProgress: quiet ? undefined : progressOf(shown),
    async finish(exploration) {
      const { findings, litter, exitCode } = exploration;
      const model = exploreReport(withTexts(exploration, visible) as Exploration, version);
      summarize(model, { ...shown, quiet });
      if (env['GITHUB_ACTIONS'] === 'true') annotations(model).forEach(shown.line);
      const [first] = findings;
      const json = (value: unknown) => () => `${visibleJson(value, 2)}\n`;
      const asTest = (): string =>
        first
          ? testOf(first.walk, first.story, { baseUrl: exploration.target.baseUrl, allow: values.allow ?? [] })
          : '// Nothing was found.\n';
      const texts = [
        ...reports.map(
          ({ format }) =>
            () =>
              exploreReporters[format](exploration, version),
        ),
        ...(save === undefined ? [] : [json(first?.walk ?? { form: 1, seed: exploration.seed, spots: [], steps: [] })]),
        ...(test === undefined ? [] : [asTest]),
        ...(leftovers === undefined ? [] : [json(litter)]),
      ];
      await write(texts, isLate);
      return exitCode;
    },
  };
}

/** The line that shows how far the run has come. */
function progressOf({ progress }: Pick<ResultFiles, 'progress'>): ExploreOptions['onProgress'] {
  if (!progress) return undefined;
  return ({ walks, steps, pairs, findings, milliseconds }: Progress) => {
    const rate = Math.round((steps * 1000) / Math.max(1, milliseconds));
    progress(`${walks} walks, ${rate} steps a second, ${pairs} pairs of operations, ${findings} findings`);
  };
}

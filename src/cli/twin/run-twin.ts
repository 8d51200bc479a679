import { counted, defined, visible } from '../../common/index.js';
import {
  type ArchivedExchange,
  ArchiveReader,
  cardRules,
  type ExitCode,
  type PlannedRequest,
  planOf,
  replayExchanges,
  summarize,
  withTexts,
} from '../../conformance/index.js';
import type { WorldFile } from '../../contract/index.js';
import type { DialectCard } from '../../engine/index.js';
import type { Values } from '../args.js';
import { checkOptionsOf, tellLogin, tellUnused } from '../commands/check.js';
import type { CheckValues } from '../commands/evaluation.js';
import { readJson } from '../json-file.js';
import type { Environment } from '../network/proxy.js';
import { nodeHost } from '../node-host.js';
import { lateReports, openResultFiles } from '../result-files.js';
import type { Terminal } from '../terminal.js';
import { UsageError } from '../usage-error.js';
import { version } from '../version.js';
import { readWorld } from '../world-file.js';
import { LARGE, parseYaml } from '../yaml.js';
import { changesBetween } from './changes.js';
import type { twinFlags } from './flags.js';
import {
  cardOf,
  makeRecordedTwin,
  makeTwin,
  NoTwin,
  readAll,
  type ReadSummary,
  type Stage,
  type Twin,
  type TwinOptions,
} from './make-twin.js';
import { shareOf, totalOf } from './proof.js';
import { percentText, proofText, twinReport, twinReporters, type TwinResult } from './report.js';
import { worldYaml } from './world-yaml.js';

export type TwinValues = Values<typeof twinFlags>;

/** Makes a twin, or compares a deployment with an earlier one; returns the exit code. */
export async function twinCommand(
  baseUrl: string,
  values: TwinValues,
  terminal: Terminal,
  env: Environment,
): Promise<number> {
  const checkValues = values as CheckValues;
  const options = await checkOptionsOf(baseUrl, checkValues, env, 'twin');
  tellUnused(checkValues, options, terminal);
  const extent = defined({ from: values.from, to: values.to });
  if (values.plan) return printPlan(await planOf(options, (planned) => readAll({ ...planned, ...extent })), terminal);
  const output = await openOutput(values, terminal, env);
  const run = (): Promise<Twin> =>
    makeTwin({
      ...options,
      ...extent,
      signal: terminal.untilStopped(),
      onStage: stagesOf(terminal, values.quiet === true, terminal.progress),
      onWorld: output.onWorld,
      proves: values.out !== undefined,
    });
  const code = await output.finish(run);
  tellLogin({ exitCode: code as ExitCode }, checkValues, terminal, env);
  return code;
}

/** Makes a twin of recorded traffic; returns the exit code. */
export async function recordedTwinCommand(
  files: readonly string[],
  baseUrl: string | undefined,
  values: TwinValues,
  terminal: Terminal,
  env: Environment,
): Promise<number> {
  if (values.plan)
    throw new UsageError('--har sends no requests, so --plan has nothing to show. Use one or the other.');
  const recording = (file: string): Promise<ArchivedExchange[]> => {
    const reader = new ArchiveReader(Infinity);
    return readJson(file, 'recording', (value) => reader.end(value), reader.take);
  };
  const output = await openOutput(values, terminal, env);
  return output.finish(async () => {
    const recordings: ArchivedExchange[][] = [];
    let card: DialectCard = {};
    for (const file of files) {
      // A replay takes the exchanges out of their list, so that each file is read for it once more.
      const report = await replayExchanges(await recording(file), {
        host: nodeHost,
        only: cardRules,
        ...defined({ baseUrl }),
      });
      card = { name: report.dialect.name, answers: { ...card.answers, ...report.dialect.answers } };
      recordings.push(await recording(file));
    }
    return makeRecordedTwin({ recordings, card: cardOf(card), baseUrl, onWorld: output.onWorld });
  });
}

interface TwinOutput {
  readonly onWorld: NonNullable<TwinOptions['onWorld']>;
  /** Makes the twin, prints how true it is, and writes the reports; returns the exit code. */
  finish(make: () => Promise<Twin>): Promise<number>;
}

/**
 * Opens the files for the results of a run, before its first request.
 *
 * @throws {UsageError} if a file cannot be written, or the earlier world cannot be read.
 */
async function openOutput(values: TwinValues, terminal: Terminal, env: Environment): Promise<TwinOutput> {
  const { compare, out, report: reports = [], quiet = false } = values;
  const whole = compare === undefined ? undefined : await readWorld(compare, anyVariable(env));
  const before = whole && ofFacilities(whole, values.facility);
  const [worldFiles, reportFiles] = [out === undefined ? [] : [out], reports.map(({ file }) => file)];
  const files = await openResultFiles([...worldFiles, ...reportFiles], terminal);
  // The world is written before anything is compared.
  const { write: writeWorld } = await openResultFiles(worldFiles, terminal);
  const { write: writeReports } = await openResultFiles(reportFiles, terminal);
  const isLate = lateReports(values.deadline, reports.length);
  const startedAt = Date.now();
  return {
    async onWorld(written, summary) {
      if (out !== undefined) await writeWorld([() => servableText(worldYaml(written, headOf(summary)))]);
    },
    async finish(make) {
      try {
        const twin = await make();
        const durationMs = Date.now() - startedAt;
        const minSame = values['min-same'] ?? 0;
        const result = resultOf(twin, { before, startedAt, durationMs, minSame });
        summarize(twinReport(withTexts(result, visible) as TwinResult, version), { ...files, quiet });
        const texts = reports.map(
          ({ format }) =>
            () =>
              twinReporters[format](result, version),
        );
        await writeReports(texts, isLate);
        if (out !== undefined && out !== '-' && !quiet)
          files.line(`Serve it: npx --no-install teebox serve --world ${out}`);
        return result.exitCode;
      } catch (error) {
        if (!(error instanceof NoTwin)) throw error;
        files.progress?.('');
        terminal.err(`teebox: ${error.message}`);
        return error.exitCode;
      }
    },
  };
}

/** Prints the requests by their paths. Only the deployment knows how many facilities it lists. */
function printPlan(planned: readonly PlannedRequest[], { out }: Terminal): number {
  const counts = new Map<string, number>();
  for (const { method, path, count } of planned) {
    const shape = `${method} ${path.split('?')[0]!}`;
    counts.set(shape, (counts.get(shape) ?? 0) + count);
  }
  for (const [shape, count] of counts) out(`${String(count).padStart(6)}  ${shape}`);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const facilities = Math.max(
    0,
    ...[...counts].flatMap(([shape, count]) => (/\/facilities\/\{\w+\}$/.test(shape) ? [count] : [])),
  );
  out(
    `\nAbout ${total} requests would be sent to a deployment with ${facilities} connected facilities, and as many to compare; ` +
      'a run says how many it is about to send. None was sent.',
  );
  return 0;
}

/** An earlier file is only compared, so that the variables that it names need not be set. */
function anyVariable(env: Environment): Environment {
  return new Proxy({ ...env }, { get: (known, name) => known[String(name)] ?? `\${${String(name)}}` });
}

/** A world file with some of its facilities; default: all. */
function ofFacilities(world: WorldFile, ids: readonly number[] | undefined): WorldFile {
  return ids ? { ...world, facilities: world.facilities.filter(({ id }) => ids.includes(id)) } : world;
}

interface Outcome {
  readonly before: WorldFile | undefined;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly minSame: number;
}

function resultOf({ summary, world, proof }: Twin, { before, startedAt, durationMs, minSame }: Outcome): TwinResult {
  const changes = before && changesBetween(before, world.file);
  const about = {
    target: { baseUrl: summary.baseUrl, startedAt: new Date(startedAt).toISOString() },
    durationMs,
    read: summary,
    ...defined({ proof, changes }),
  };
  if (summary.cut !== undefined) return { ...about, verdict: 'incomplete', exitCode: 4, message: summary.cut };
  if (changes && changes.length > 0) {
    const message = `${counted(changes.length, 'change')} since the earlier file.`;
    return { ...about, verdict: 'changed', exitCode: 1, message };
  }
  const same = proof ? proofText(proof) : 'Nothing has changed since the earlier file.';
  const share = proof ? shareOf(totalOf(proof)) : 100;
  if (share < minSame) {
    const message = `${same} --min-same is ${percentText(minSame)}.`;
    return { ...about, verdict: 'unlike', exitCode: 1, message };
  }
  return { ...about, verdict: changes ? 'unchanged' : 'twin', exitCode: 0, message: same };
}

/** @throws {NoTwin} if the text is larger than a world file may be. */
function servableText(text: string): string {
  try {
    parseYaml(text, LARGE);
    return text;
  } catch (error) {
    const why = (error as Error).message;
    throw new NoTwin(
      4,
      `The world file cannot be served: ${why} Read fewer facilities (--facility) or days (--from, --to).`,
    );
  }
}

/** What a reader of the file sees first. */
function headOf({ baseUrl, at, from, to, facilities, others, unread, cut }: ReadSummary): readonly string[] {
  return [
    'yaml-language-server: $schema=./node_modules/teebox/dist/world.schema.json',
    `A twin of ${baseUrl}, read at ${at}: ${counted(facilities, 'facility', 'facilities')} with the tee sheets from ${from} to ${to}.`,
    ...(others > 0
      ? [
          `${counted(others, 'facility', 'facilities')} to which the channel is not connected ${others === 1 ? 'is' : 'are'} in the lists alone.`,
        ]
      : []),
    'The channels are those of the sandbox: fairway, links and caddie. Add `channels` for your own.',
    ...(cut === undefined ? [] : [`The reading is incomplete. ${cut}`]),
    ...(unread.length > 0 ? ['Not read:', ...unread.slice(0, MOST_UNREAD).map((one) => `  ${one}`)] : []),
    ...(unread.length > MOST_UNREAD ? [`  and ${unread.length - MOST_UNREAD} more`] : []),
  ];
}

/** Lines about what was not read. */
const MOST_UNREAD = 50;

/** Says how far a twin has come: in lines, and in one line that is overwritten. */
function stagesOf(
  { err }: Pick<Terminal, 'err'>,
  quiet: boolean,
  progress: ((text: string) => void) | undefined,
): (stage: Stage) => void {
  return (one) => {
    if (one.stage === 'dialect') progress?.('how it answers the open questions');
    if (one.stage === 'reading') progress?.(`${one.done} of ${one.planned} answers read`);
    if (one.stage === 'comparing') progress?.(`${one.done} of ${one.planned} further answers compared`);
    if (one.stage !== 'planned' || quiet) return;
    progress?.('');
    const { facilities, days, sent, requests, others } = one;
    const parts = [`${sent} sent already`, `${requests} to read`, ...(others > 0 ? [`${others} to compare`] : [])];
    err(
      `teebox: ${counted(facilities, 'connected facility', 'connected facilities')}, ${counted(days, 'day')}: about ${sent + requests + others} requests: ${parts.join(', ')}.`,
    );
  };
}

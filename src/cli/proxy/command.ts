import { MAX_BODY } from '../../conformance/index.js';
import { obligations } from '../../contract/index.js';
import { anyGlob, defined, ValidationError } from '../../common/index.js';
import { answersOf, type DialectCard } from '../../engine/index.js';
import type { Values } from '../args.js';
import { baseUrlFrom } from '../commands/check-command.js';
import { type CheckValues, evaluationOptionsOf, inBytes } from '../commands/evaluation.js';
import { type CommandInput, defineCommand, refuseWords } from '../commands/command.js';
import { listeningError } from '../commands/serve.js';
import { trustOf } from '../commands/reach.js';
import { readJson } from '../json-file.js';
import { type Environment, ProxyError } from '../network/proxy.js';
import { openResultFiles, type ReportTarget } from '../result-files.js';
import { listensWider } from '../server.js';
import { openTarget as openFile } from '../target.js';
import { UsageError } from '../usage-error.js';
import { proxyFlags, proxyGroups } from './flags.js';
import { Injector } from './inject/injector.js';
import { CheckerThread } from './check/checker-thread.js';
import type { TrafficCheckerOptions } from './check/traffic-checker.js';
import { jsonOutput, terminalOutput } from './output.js';
import { readKnownOfBoth } from './outcome.js';
import { type RunningProxy, type ProxyServerOptions, startProxyServer } from './server.js';
import { CallbackRelay } from './wire/callbacks.js';
import { openTarget, type ProxyTarget } from './wire/target.js';

type ProxyValues = Values<typeof proxyFlags>;

const DEFAULT_PORT = 4654;
/** The room for answers that are evaluated together, in MiB, unless `max-evidence` says otherwise. */
const MAX_EVIDENCE_MIB = 64;
const EXIT_NOT_CHECKED = 4;

export const command = defineCommand({
  usage: 'proxy TARGET [FLAGS]',
  what: `Passes requests on to a deployment. Checks the responses against the rules of check, and the client against the obligations.
A signal (Ctrl-C) ends it with a summary.

Exit codes: 0 nothing is wrong, 1 a finding, 2 usage error, 3 the target never answered, 4 nothing was checked, or too many requests got no answer or one that could not be checked.`,
  flags: proxyFlags,
  section: 'proxy',
  groups: proxyGroups,
  examples: [
    ['teebox proxy https://HOST', 'check what a client and a deployment send each other'],
    ['teebox proxy https://HOST --report html=traffic.html --har traffic.har', 'keep what was found and sent'],
    ["teebox proxy https://HOST --inject 'slow; delay=800ms'", 'slow responses'],
  ],
  run: proxyCommand,
});

async function proxyCommand(input: CommandInput<typeof proxyFlags>): Promise<number> {
  const { values, positionals, terminal, env } = input;
  const [word, ...rest] = positionals;
  refuseWords(rest);
  const named = baseUrlFrom(word, env, 'proxy', ': the client sends its own.');
  const baseUrl = named.replace(/\/+$/, '');
  const { report: reports = [], json = false, har } = values;
  if (json && reports.some(({ file }) => file === '-')) {
    throw new UsageError('--json prints events on stdout, so a report cannot go there too. Give it a file.');
  }
  const { options, card } = await optionsFor(baseUrl, values);
  const injector = injectorOf(values);
  const files = await openResultFiles(
    reports.map(({ file }) => file),
    terminal,
  );
  if (har !== undefined) await checkHar(har, reports);
  const output = json ? jsonOutput(terminal) : terminalOutput(files);
  const target = await reach(baseUrl, values, env);
  const checker = new CheckerThread(options, output.tell);
  checker.ended.catch(({ message }: Error) =>
    terminal.err(`teebox: Checking failed (${message}). Traffic still passes.`),
  );
  const onStray = (what: string): void => terminal.err(`teebox: ${what}.`);
  const running = { target, answers: answersOf(card), onExchange: checker.take, onStray };
  const proxy = await listen({ ...serverOptions(values, injector), ...running }, checker);
  // Whoever reads the address may end the proxy at once.
  const signalled = untilSignalled();
  output.ready(proxy.url, baseUrl);
  if (listensWider(values.host ?? '127.0.0.1')) {
    terminal.err(`Listening on ${values.host}: other machines can send requests to ${baseUrl} through this proxy.`);
  }
  await signalled;
  await proxy.close();
  const end = await checker.end(reports.map(({ format }) => format)).catch(() => undefined);
  if (!end) return EXIT_NOT_CHECKED;
  output.summarize(end.outcome, injector);
  await files.write(end.texts.map((text) => () => text));
  return end.outcome.exitCode;
}

/** @throws {UsageError} if the file of `--har` cannot be written, or is written already. */
async function checkHar(har: string, reports: readonly ReportTarget[]): Promise<void> {
  if (har === '-') throw new UsageError('--har needs a file, since the recording grows while the proxy runs.');
  if (reports.some(({ file }) => file === har))
    throw new UsageError(`Two results cannot go to ${har}. Give each its own file.`);
  await openFile(har);
}

function serverOptions(
  { port = DEFAULT_PORT, host = '127.0.0.1', callbacks, 'max-body': maxBody }: ProxyValues,
  injector: Injector | undefined,
): Omit<ProxyServerOptions, 'target' | 'answers' | 'onExchange'> {
  return defined({
    port,
    hostname: host,
    now: () => Date.now(),
    maxBody: inBytes(maxBody) ?? MAX_BODY,
    injector,
    callbacks: callbacks === undefined ? undefined : new CallbackRelay(callbacks),
  });
}

async function optionsFor(
  baseUrl: string,
  values: ProxyValues,
): Promise<{ readonly options: TrafficCheckerOptions; readonly card: DialectCard }> {
  const { known: file, only = ['*'], skip = [], json = false, har } = values;
  const known = file === undefined ? undefined : await readJson(file, 'baseline', readKnownOfBoth);
  // What a baseline has of the client is no rule.
  const { known: _, ...others } = values;
  const evaluation = await evaluationOptionsOf(others as CheckValues);
  const [wanted, unwanted] = [anyGlob(only), anyGlob(skip)];
  const options: TrafficCheckerOptions = {
    baseUrl,
    deployment: {
      ...evaluation,
      maxEvidence: inBytes(values['max-evidence'] ?? MAX_EVIDENCE_MIB)!,
      ...defined({ known: known?.rules, window: values.window }),
      headers: Object.fromEntries(values.header ?? []),
    },
    obligations: obligations.map(({ id }) => id).filter((id) => wanted(id) && !unwanted(id)),
    ...defined({ knownObligations: known?.obligations, har }),
    onlyRecord: values['no-judge'] === true,
    tellsExchanges: json,
  };
  return { options, card: evaluation.card ? { answers: evaluation.card } : {} };
}

function injectorOf({ inject, chaos, allow }: ProxyValues): Injector | undefined {
  if (!inject && chaos === undefined) {
    if (allow)
      throw new UsageError('--allow is about --inject and --chaos. Without them, everything passes unchanged.');
    return undefined;
  }
  try {
    return new Injector(defined({ inject, chaos, allow }));
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new UsageError(`--${error.input ?? 'inject'}: ${error.advice}`);
  }
}

async function reach(baseUrl: string, values: ProxyValues, env: Environment): Promise<ProxyTarget> {
  try {
    return openTarget(defined({ baseUrl, env, ...(await trustOf(values, env)), headers: values.header }));
  } catch (error) {
    if (error instanceof ProxyError) throw new UsageError(error.message);
    throw error;
  }
}

/** @throws {UsageError} if the server cannot listen on the address, with the reason and the remedy. */
async function listen(options: ProxyServerOptions, checker: CheckerThread): Promise<RunningProxy> {
  try {
    return await startProxyServer(options);
  } catch (error) {
    checker.stop();
    throw listeningError(error as NodeJS.ErrnoException, options);
  }
}

/** The first signal ends the proxy with a summary. A second one ends the process. */
function untilSignalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

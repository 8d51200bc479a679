import { defined } from '../../common/index.js';
import { isLoopback } from '../../engine/index.js';
import {
  bearerHeaderOf,
  type ChannelOptions,
  check,
  type CheckOptions,
  headerFault,
  MAX_BODY,
  memoryJournal,
  plan,
  type PlannedRequest,
  type Report,
} from '../../conformance/index.js';
import { secretText, sourceLines, variableOf } from '../args.js';
import { startReceiver } from '../callback-receiver.js';
import type { Terminal } from '../terminal.js';
import { openTokenFile } from '../token-file.js';
import { UsageError } from '../usage-error.js';
import { type CheckValues, evaluationOptionsOf, inBytes, openOutput } from './evaluation.js';
import { reachOf } from './reach.js';
import type { Environment } from '../network/proxy.js';

/** The exit code of a run whose deployment cannot be reached, or refuses the credentials. */
const NO_ACCESS = 3;

/** Checks a deployment and returns the exit code. */
export async function checkCommand(
  baseUrl: string,
  values: CheckValues,
  terminal: Terminal,
  env: Environment,
): Promise<number> {
  const options = await checkOptionsOf(baseUrl, values, env);
  tellUnused(values, options, terminal);
  if (values.plan) return printPlan(await plan(options), terminal, options.depth);
  const { onEvent, finish } = await openOutput(values, terminal, env);
  const report = await checkDeployment({ ...options, onEvent, signal: terminal.untilStopped() }, values);
  tellLogin(report, values, terminal, env);
  return finish(report);
}

/** Checks a deployment, with a receiver if callbacks are permitted. */
export function checkDeployment(options: CheckOptions, values: CheckValues): Promise<Report> {
  return withReceiver(options, values, check);
}

/** Does work with the options of a run, and with a receiver if callbacks are permitted. */
export async function withReceiver<O extends Pick<CheckOptions, 'allow' | 'baseUrl' | 'maxBody'>, T>(
  options: O,
  values: Pick<CheckValues, 'callback-url' | 'callback-port'>,
  work: (options: O) => Promise<T>,
): Promise<T> {
  const running = options.allow?.includes('callbacks')
    ? await startReceiver({
        port: values['callback-port'] ?? 0,
        ...defined({ publicUrl: values['callback-url'] }),
        deploymentIsLocal: isLoopback(new URL(options.baseUrl).hostname),
        maxBody: options.maxBody ?? MAX_BODY,
      })
    : undefined;
  try {
    return await work({ ...options, ...defined({ receiver: running?.receiver }) });
  } finally {
    running?.close();
  }
}

/**
 * The options of a run from its flags.
 *
 * @throws {UsageError} for flags that do not go together, and for missing credentials.
 */
export async function checkOptionsOf(
  baseUrl: string,
  values: CheckValues,
  env: Environment,
  command = 'check',
): Promise<CheckOptions> {
  const {
    allow,
    depth,
    parallel,
    rps,
    timeout,
    settle,
    deadline,
    versions,
    operations,
    'bearer-header': ownHeader,
  } = values;
  const first = await channelOf(values, '', pairIn(env));
  if (!first) {
    const ways = '--basic USER:PASSWORD, --refresh-token TOKEN or --token-file FILE';
    throw new UsageError(`${command} needs credentials: ${ways}.`);
  }
  const second = await channelOf(values, 'second-');
  const evaluation = await evaluationOptionsOf(values);
  const reach = await reachOf(baseUrl, values, env);
  const bearerHeader = bearerHeaderOf(defined({ bearerHeader: ownHeader, card: evaluation.card }));
  const fault = headerFault(reach, { bearerHeader, first, second });
  if (fault !== undefined) throw new UsageError(fault);
  return {
    baseUrl,
    first,
    ...reach,
    ...evaluation,
    ...defined({
      second,
      allow,
      depth,
      maxBookings: values['max-bookings'],
      maxRequests: values['max-requests'],
      timeout,
      callbackTimeout: timeout,
      settle,
      deadline,
      maxBody: inBytes(values['max-body']),
      maxEvidence: inBytes(values['max-evidence']),
      maxErrors: values['max-errors'],
      parallel,
      rps,
      versions,
      operations,
      facilities: values.facility,
      bearerHeader: ownHeader,
    }),
  };
}

/** The user name and the password of the environment. */
function pairIn(env: Environment): ChannelOptions['basic'] {
  const [username, password] = ['TEEBOX_USERNAME', 'TEEBOX_PASSWORD'].map((name) =>
    env[name] === undefined ? undefined : secretText(env[name], `The environment variable ${name}`),
  );
  return username !== undefined && password !== undefined ? { username, password } : undefined;
}

/**
 * The credentials of a channel, if any. A refresh token is used only if its successor can be kept. Besides another login, one
 * of the environment is left unused: what starts a sandbox sets it for all commands that follow.
 */
async function channelOf(
  values: CheckValues,
  prefix: '' | 'second-',
  fallback?: ChannelOptions['basic'],
): Promise<ChannelOptions | undefined> {
  const basic = values[`${prefix}basic`] ?? fallback;
  const token = values[`${prefix}refresh-token`];
  const file = values[`${prefix}token-file`];
  if (!basic && token === undefined && file === undefined) return undefined;
  const login = basic ? { basic } : {};
  if (file !== undefined) {
    // A plan uses no token, so the file need not exist.
    return values.plan
      ? { ...login, journal: memoryJournal('planned') }
      : { ...login, journal: await openTokenFile(file, token) };
  }
  if (token === undefined) return login;
  if (!values['forget-tokens'] && !values.plan) {
    if (basic && variableOf(values, `${prefix}refresh-token`) !== undefined) return login;
    throw new UsageError(
      `A refresh token is single use. Add --${prefix}token-file FILE to --${prefix}refresh-token to keep the next ` +
        'token, or use --forget-tokens for a sandbox.',
    );
  }
  return { ...login, refreshToken: token };
}

/** Says which refresh tokens of the environment a run does not use. */
export function tellUnused(
  values: CheckValues,
  { first, second }: Pick<CheckOptions, 'first' | 'second'>,
  { err }: Pick<Terminal, 'err'>,
): void {
  for (const [prefix, channel] of [
    ['', first],
    ['second-', second],
  ] as const) {
    const variable = variableOf(values, `${prefix}refresh-token`);
    if (variable === undefined || channel?.journal || channel?.refreshToken !== undefined) continue;
    err(
      `teebox: The refresh token of ${variable} is not used, because it is single use. Add --${prefix}token-file FILE to ` +
        'keep the next one, or --forget-tokens for a sandbox.',
    );
  }
}

/** Says where the login of a run that ends without access comes from. */
export function tellLogin(
  { exitCode }: Pick<Report, 'exitCode'>,
  values: CheckValues,
  { err }: Pick<Terminal, 'err'>,
  env: Environment,
): void {
  if (exitCode !== NO_ACCESS) return;
  const pair = !values.basic && pairIn(env);
  const ofPair = pair ? ['The login comes from the environment variables TEEBOX_USERNAME and TEEBOX_PASSWORD.'] : [];
  const isLogin = (name: string): boolean => /basic$|token|^header$/.test(name);
  for (const line of [...sourceLines(values, isLogin), ...ofPair]) err(`teebox: ${line}`);
}

/** Prints the requests that a run would send. Only the deployment knows how many facilities a thorough run reads. */
export function printPlan(
  planned: readonly PlannedRequest[],
  { out }: Terminal,
  depth?: CheckOptions['depth'],
): number {
  for (const { method, path, effect, caller, count } of planned) {
    const whose = caller === 'first' ? '' : `, ${caller === 'second' ? 'second channel' : 'without credentials'}`;
    out(`${String(count).padStart(3)}  ${method.padEnd(4)} ${path}  (${effect}${whose})`);
  }
  const total = planned.reduce((sum, { count }) => sum + count, 0);
  out(
    depth === 'thorough'
      ? `\nAbout ${total} requests would be sent to a deployment with 60 facilities; it depends on how many it lists, and ` +
          'on when their responses fill the memory for evidence (max-evidence). None was sent.'
      : `\n${total} requests would be sent; the exact number depends on the data of the deployment. None was sent.`,
  );
  return 0;
}

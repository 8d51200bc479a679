import { parseDialectCard } from '../../app/dialect.js';
import { check } from '../../conformance/check.js';
import type { CheckOptions } from '../../conformance/check-options.js';
import type { ChannelOptions } from '../../conformance/credentials.js';
import { readKnown } from '../../conformance/known.js';
import { plan } from '../../conformance/plan.js';
import { startReceiver } from '../callback-receiver.js';
import { nodeHost } from '../node-host.js';
import type { Terminal } from '../terminal.js';
import { openTokenFile } from '../token-file.js';
import { UsageError } from '../usage-error.js';
import { type CheckValues, openOutput, readJson } from './check-output.js';

/** Judges a deployment and gives back the exit code. */
export async function checkCommand(
  baseUrl: string,
  values: CheckValues,
  terminal: Terminal,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const options = await optionsOf(baseUrl, values, env);
  if (values.plan) return printPlan(options, terminal);
  const { onEvent, finish } = await openOutput(values, terminal, env);
  const needsReceiver = options.allow?.includes('callbacks');
  const publicUrl = values['callback-url'];
  const running = needsReceiver
    ? await startReceiver({
        port: values['callback-port'] ?? 0,
        ...(publicUrl === undefined ? {} : { publicUrl }),
        deploymentIsLocal: isLoopback(new URL(baseUrl).hostname),
      })
    : undefined;
  const { signal } = untilStopped();
  try {
    const report = await check({ ...options, ...(running ? { receiver: running.receiver } : {}), signal, onEvent });
    return await finish(report);
  } finally {
    running?.close();
  }
}

/** The first signal ends the run in order: what was left behind until then must be told. A second one kills. */
function untilStopped(): AbortController {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop;
}

async function optionsOf(
  baseUrl: string,
  values: CheckValues,
  env: Readonly<Record<string, string | undefined>>,
): Promise<CheckOptions> {
  const { timeout, rps, only, skip, strict, allow } = values;
  const { TEEBOX_USERNAME: username, TEEBOX_PASSWORD: password } = env;
  const fallback = username !== undefined && password !== undefined ? { username, password } : undefined;
  const first = await channelOf(values, '', fallback);
  if (!first)
    throw new UsageError('check needs credentials: --basic USER:PASSWORD, --refresh-token TOKEN or --token-file FILE.');
  const second = await channelOf(values, 'second-');
  const card = values.dialect === undefined ? undefined : await readJson(values.dialect, 'dialect', parseDialectCard);
  const known = values.known === undefined ? undefined : await readJson(values.known, 'baseline', readKnown);
  return {
    baseUrl,
    first,
    host: nodeHost,
    ...(second ? { second } : {}),
    ...given('allow', allow),
    ...given('maxBookings', values['max-bookings']),
    ...given('maxRequests', values['max-requests']),
    ...given('timeout', timeout === undefined ? undefined : timeout * 1000),
    ...given('callbackTimeout', timeout === undefined ? undefined : timeout * 1000),
    ...given('rps', rps),
    ...given('only', only),
    ...given('skip', skip),
    ...given('strict', strict),
    ...given('minConclusive', values['min-conclusive']),
    ...given('bearerHeader', values['bearer-header']),
    ...given('card', card?.answers),
    ...given('known', known),
  };
}

function given<K extends string, V>(name: K, value: V | undefined): { [Name in K]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { [Name in K]?: V };
}

/** The credentials of a channel, if there are any. Without a place for the next one no refresh token is spent. */
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
    // A plan spends nothing, so it needs no file to be there.
    return values.plan
      ? { ...login, refreshToken: 'planned' }
      : { ...login, journal: await openTokenFile(file, token) };
  }
  if (token === undefined) return login;
  if (!values['forget-tokens'] && !values.plan) {
    throw new UsageError(
      `A refresh token is single use: --${prefix}refresh-token needs --${prefix}token-file FILE, where the next one ` +
        'is kept, or --forget-tokens for a sandbox.',
    );
  }
  return { ...login, refreshToken: token };
}

async function printPlan(options: CheckOptions, { out }: Terminal): Promise<number> {
  const planned = await plan(options);
  for (const { method, path, effect, caller, count } of planned) {
    const whose = caller === 'first' ? '' : `, ${caller === 'second' ? 'second channel' : 'without credentials'}`;
    out(`${String(count).padStart(3)}  ${method.padEnd(4)} ${path}  (${effect}${whose})`);
  }
  const total = planned.reduce((sum, { count }) => sum + count, 0);
  out(`\n${total} requests would be sent, give or take what the data of the deployment asks for; none was.`);
  return 0;
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

import * as z from 'zod';
import {
  type CheckEvent,
  type CheckOptions,
  fileReporters,
  type Permission,
  permissions,
  Recorder,
} from '../../../conformance/index.js';
import { defined } from '../../../common/index.js';
import { readArguments, readValue, withSources } from '../../args.js';
import { checkDeployment, checkOptionsOf } from '../../commands/check.js';
import { checkFlags } from '../../commands/check-flags.js';
import { readTarget } from '../../commands/check-config.js';
import type { CheckValues } from '../../commands/evaluation.js';
import type { Environment } from '../../network/proxy.js';
import { version } from '../../version.js';
import type { ToolContext } from '../tool-context.js';
import { globs, versionList, waitSeconds, wordsOf } from '../inputs.js';
import type { JobStep } from '../jobs.js';
import { refuseClosedNetworks } from '../reach.js';
import { defineTool, ToolError } from '../tool.js';
import { outcomeOf } from './report.js';

const every: readonly [Permission, ...Permission[]] = ['lockout', ...permissions];

/** A deployment, and what the person who set up this server gave for it. */
interface CheckedTarget {
  readonly baseUrl: string;
  readonly values: CheckValues;
  readonly env: Environment;
  /** What the run may be permitted beyond reading. */
  readonly allowed: readonly Permission[];
}

const input = {
  target: z
    .string()
    .min(1)
    .max(500)
    .default('sandbox')
    .describe('sandbox, the base URL of a deployment, or the name of a target in teebox.config.yaml.'),
  only: globs.describe('Evaluate only these rules, by id or glob, such as "facilities.*".'),
  skip: globs.describe('Skip these rules.'),
  operations: globs.describe('The operations that the deployment has, such as "list*" or v5.createBooking.'),
  versions: versionList.describe('The versions it has.'),
  allow: z
    .array(z.enum(every))
    .default([])
    .describe('What the run may do beyond reading. For a deployment, the server must permit it (--allow).'),
  username: z.string().max(200).optional().describe('Of a test channel. Prefer TEEBOX_BASIC in the environment.'),
  password: z.string().max(200).optional(),
  wait_seconds: waitSeconds.describe('How long to wait for the result.'),
};

type CheckAsk = Omit<z.output<z.ZodObject<typeof input>>, 'allow' | 'wait_seconds'>;

export const checkTool = (context: ToolContext) =>
  defineTool({
    name: 'check',
    title: 'Check a deployment',
    description:
      'Checks a deployment of the API against the rules of the API specification, and returns the findings. It sends read requests ' +
      'only, unless `allow` permits more. Use it to see whether a deployment conforms, with `only` to look at one ' +
      'rule again. A long run goes on in the background, and read_report waits for it.',
    input,
    hints: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    run: async ({ allow, wait_seconds: seconds, ...ask }, call) => {
      const { baseUrl, values: given, env, allowed } = await targetOf(context, ask);
      refuseMore(allow, allowed, baseUrl);
      const values: CheckValues = { ...given, allow };
      const options = await checkOptionsOf(baseUrl, values, env).catch((error: unknown) => {
        throw withSources(error, values);
      });
      const started = context.jobs.start('check', (signal, step) => reportOf({ ...options, signal }, values, step));
      return outcomeOf(await context.jobs.wait(started, call, seconds));
    },
  });

/** The report of a run, as `--report json` writes it. */
async function reportOf(options: CheckOptions, values: CheckValues, step: JobStep): Promise<unknown> {
  const recorder = new Recorder(version);
  let [done, total] = [0, 0];
  const onEvent = (event: CheckEvent): void => {
    recorder.onEvent(event);
    if (event.type === 'start') total = event.rules;
    if (event.type === 'rule') done += 1;
    step(done, total);
  };
  await checkDeployment({ ...options, onEvent }, values);
  return JSON.parse(fileReporters.json(recorder.run));
}

/** @throws {ToolError} for a permission that the server was not started with. */
function refuseMore(asked: readonly Permission[], allowed: readonly Permission[], baseUrl: string): void {
  const denied = asked.filter((one) => !allowed.includes(one));
  if (denied.length === 0) return;
  throw new ToolError(
    `This server does not permit ${denied.join(', ')} at ${baseUrl}. A person can start it with ` +
      `\`teebox mcp --allow ${denied.join(',')}\`. Without \`allow\`, the check only reads.`,
  );
}

/** @throws {ToolError} for a target without credentials. */
async function targetOf(context: ToolContext, ask: CheckAsk): Promise<CheckedTarget> {
  const { target, username, password } = ask;
  if ((username === undefined) !== (password === undefined)) throw new ToolError('Give `username` and `password`.');
  const own = username === undefined ? [] : [`--basic=${username}:${password}`];
  if (target === 'sandbox' || sameAddress(target, context.baseUrl)) return sandboxTarget(context, ask, own);
  const { env, allow } = context;
  if (!/^https?:\/\//.test(target)) {
    const { url, settings, severities } = await readTarget(target, undefined, env);
    const values = readArguments(checkFlags, [...own, ...askedOf(ask)], env, { ...settings, ...scopeOf(ask) }).values;
    const baseUrl = addressOf(url ?? '');
    const allowed = [...allow, ...((settings['allow'] ?? []) as readonly Permission[])];
    return { baseUrl, values: { ...values, ...(severities ? { severities } : {}) }, env, allowed };
  }
  const baseUrl = addressOf(target);
  // The credentials of the environment go to the deployment that it names, and to no other address.
  const isNamed = sameAddress(baseUrl, env['TEEBOX_BASE_URL'] ?? '');
  if (!isNamed) await refuseClosedNetworks(baseUrl);
  const shown = isNamed ? env : withoutOurs(env);
  if (!isNamed && own.length === 0) {
    throw new ToolError(
      `check needs credentials for ${baseUrl}: set TEEBOX_BASE_URL and TEEBOX_BASIC in the environment of this ` +
        'server, name a target of teebox.config.yaml, or give `username` and `password` of a test channel.',
    );
  }
  return {
    baseUrl,
    values: readArguments(checkFlags, [...own, ...askedOf(ask)], shown, scopeOf(ask)).values,
    env: shown,
    allowed: allow,
  };
}

/** The sandbox may be changed in any way, with the credentials of its own channels. */
async function sandboxTarget(context: ToolContext, ask: CheckAsk, own: readonly string[]): Promise<CheckedTarget> {
  const [first, second] = (await context.admin.channels()).filter(({ revoked }) => !revoked);
  if (!first) throw new ToolError('No channel of the sandbox has credentials left. Call reset_sandbox.');
  const words = [
    ...(own.length > 0 ? own : [`--basic=${first.username}:${first.password}`]),
    ...(first.refreshToken === null ? [] : [`--refresh-token=${first.refreshToken}`]),
    ...(second ? [`--second-basic=${second.username}:${second.password}`] : []),
    '--forget-tokens',
  ];
  const { values } = readArguments(checkFlags, [...words, ...askedOf(ask)], {}, scopeOf(ask));
  return { baseUrl: context.baseUrl, values, env: withoutOurs(context.env), allowed: every };
}

function askedOf({ only, skip }: CheckAsk): string[] {
  return wordsOf({ only, skip });
}

/** What has no flag, as its flag would read it. */
function scopeOf({ operations, versions }: CheckAsk) {
  const globs = operations?.map((one) => readValue(checkFlags.operations, one, '`operations`'));
  return defined({ operations: globs, versions });
}

function withoutOurs(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('TEEBOX_')));
}

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain =
    url && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (isPlain) return text.replace(/\/+$/, '');
  throw new ToolError('`target` must be an http or https URL without credentials, query and fragment.');
}

function sameAddress(one: string, other: string): boolean {
  const plain = (text: string): string => (URL.canParse(text) ? new URL(text).href.replace(/\/+$/, '') : text);
  return other !== '' && plain(one) === plain(other);
}

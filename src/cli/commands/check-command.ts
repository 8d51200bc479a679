import { existsSync } from 'node:fs';
import { isLoopback } from '../../engine/index.js';
import type { Environment } from '../network/proxy.js';
import { UsageError } from '../usage-error.js';
import type { CheckTarget } from './check-config.js';
import { checkFlags, checkGroups } from './check-flags.js';
import { defineCommand, refuseWords } from './command.js';
import { usualFiles } from './config-flag.js';

export const command = defineCommand({
  usage: 'check [BASE_URL | TARGET] [FLAGS]',
  what: `Checks a deployment against every observable rule. It sends only read requests unless --allow permits more.

Exit codes: 0 conforms, 1 does not conform, 2 usage error, 3 unreachable or access refused, 4 too few rules were evaluated.`,
  flags: checkFlags,
  groups: checkGroups,
  examples: [
    ['teebox check https://HOST --basic USER:PASSWORD', 'read only'],
    ['teebox check https://HOST --basic USER:PASSWORD --allow bookings', 'book and cancel, too'],
    ['teebox check https://HOST --basic USER:PASSWORD --report html=check.html --known known.json', 'in CI'],
    ['teebox check staging', 'a target of teebox.config.yaml'],
  ],
  readsItself: true,
  async run({ values: given, read, positionals, terminal, env }) {
    const [name = '', ...rest] = positionals;
    refuseWords(rest);
    const { url: word, settings, severities } = await targetOf(name, given.config, 'check', env);
    const flags = read(settings);
    const values = severities ? { ...flags, severities } : flags;
    if (values.replay !== undefined) {
      // TEEBOX_BASE_URL names the deployment to check now, not the recorded one.
      const recorded = word === undefined ? undefined : baseUrlOf(word, 'check');
      return (await import('./replay.js')).replayCommand(values.replay, recorded, values, terminal, env);
    }
    const baseUrl = baseUrlFrom(word, env, 'check');
    return (await import('./check.js')).checkCommand(baseUrl, values, terminal, env);
  },
});

/** A target of a file, or a deployment by its URL, with what the file says about both. */
export async function targetOf(
  word: string,
  config: string | undefined,
  command: string,
  env: Environment,
): Promise<CheckTarget> {
  if (isTarget(word, config, command)) return (await import('./check-config.js')).readTarget(word, config, env);
  const isThere = config !== undefined || usualFiles.some((file) => existsSync(file));
  const settings = isThere ? await (await import('./check-config.js')).readDefaults(config, env) : {};
  return { url: word === '' ? undefined : word, settings, severities: undefined };
}

/** Whether a word names a target of a file, and no deployment. */
function isTarget(word: string, config: string | undefined, command: string): boolean {
  if (config !== undefined && word === '') throw new UsageError(`--config needs a target: teebox ${command} TARGET.`);
  return /^[\w.-]+$/.test(word) && (config !== undefined || !word.includes('.'));
}

/** The base URL of a deployment: the word of a command, or else that of the environment. */
export function baseUrlFrom(word: string | undefined, env: Environment, command: string, login?: string): string {
  const { TEEBOX_BASE_URL: variable = '' } = env;
  if (word !== undefined || variable === '') return baseUrlOf(word ?? '', command, login);
  try {
    return baseUrlOf(variable, command, login);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${error.message} It comes from the environment variable TEEBOX_BASE_URL.`, { cause: error });
  }
}

/**
 * The base URL of a deployment, for a command.
 *
 * @param login How the command logs in instead of by a user name and a password in the URL.
 */
export function baseUrlOf(
  word: string,
  command: string,
  login = '. Use --basic; for a gateway, gateway-basic in teebox.config.yaml.',
): string {
  if (word === '')
    throw new UsageError(
      `${command} needs the base URL of a deployment: run \`npx --no-install teebox ${command} https://HOST\` or set TEEBOX_BASE_URL.`,
    );
  if (!/^https?:\/\/[^\s/]/.test(word) || !URL.canParse(word)) {
    throw new UsageError(
      `${command} needs the base URL of a deployment, starting with http:// or https://; got \`${word}\`.${schemeHint(word)}`,
    );
  }
  const { username, password, search, hash } = new URL(word);
  // The message does not repeat the URL, because it may end up in the log of a CI job.
  if (username !== '' || password !== '') {
    throw new UsageError(`The base URL must not contain a user name or a password${login}`);
  }
  if (search !== '' || hash !== '') {
    throw new UsageError(`The base URL must not have a query or a fragment; got \`${word}\`.`);
  }
  return word;
}

/** A host without its scheme is the most frequent mistake: a loopback address has no certificate. */
function schemeHint(word: string): string {
  if (!/^(\[[\da-f:]+\]|[\w-]+(\.[\w-]+)*)(:\d+)?(\/\S*)?$/i.test(word) || !URL.canParse(`http://${word}`)) return '';
  const { hostname } = new URL(`http://${word}`);
  return ` Did you mean ${isLoopback(hostname) ? 'http' : 'https'}://${word}?`;
}

import { access } from 'node:fs/promises';
import type { CheckOptions } from '../../conformance/index.js';
import { type CheckConfig, fit, rules, type Settings, config as validate } from '../../contract/index.js';
import { type Flag, type Flags, readValue, withoutStrayEnds } from '../args.js';
import { closest } from '../../common/index.js';
import { readText } from '../text-file.js';
import { UsageError } from '../usage-error.js';
import { LARGEST_FILE, parseYaml } from '../yaml.js';
import { checkFlags } from './check-flags.js';
import { usualFiles } from './config-flag.js';
import type { Environment } from '../network/proxy.js';

/** A target of the file: its base URL, and its settings by the name of the flag. */
export interface CheckTarget {
  readonly url: string | undefined;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly severities: CheckOptions['severities'];
}

/**
 * Reads a target of a file of targets. Its own settings override the `defaults` of the file.
 *
 * @throws {UsageError} that names the file, the place in it and what to write there.
 */
export async function readTarget(name: string, file: string | undefined, env: Environment): Promise<CheckTarget> {
  const { text, path } = await findConfig(name, file);
  const config = configOf(text, path);
  const { targets } = config;
  if (!targets)
    throw new UsageError(`${path}: \`targets\` must be an object with a deployment \`${name}\`; got nothing.`);
  const target = Object.hasOwn(targets, name) ? targets[name]! : undefined;
  if (!target) {
    const guess = closest(name, Object.keys(targets));
    const hint = guess ? `Did you mean ${guess}?` : `Its targets are ${Object.keys(targets).join(', ')}.`;
    throw new UsageError(`${path} has no target \`${name}\`. ${hint}`);
  }
  const places = [
    { at: 'defaults', own: config.defaults ?? {} },
    { at: `targets.${name}`, own: target },
  ];
  const filled: Record<string, unknown> = {};
  for (const { at, own } of places) {
    for (const [key, value] of Object.entries(own)) {
      if (key === 'severity') continue;
      filled[key] = settingOf(checkFlags, key, value, { path, at: `${at}.${key}`, env });
    }
  }
  const { url, ...settings } = filled;
  const own = severitiesOf([config.defaults, target], path);
  return { url: url as string | undefined, settings, severities: own };
}

/**
 * Reads what the `defaults` of a file say about a deployment that is given by its URL: the settings that have no flag.
 * Secrets belong to a target, so that no other deployment gets them.
 *
 * @throws {UsageError} that names the file, the place in it and what to write there.
 */
export async function readDefaults(file: string | undefined, env: Environment): Promise<CheckTarget['settings']> {
  const { text, path } = await findConfig('defaults', file);
  const flags: Flags = checkFlags;
  const own = Object.entries(configOf(text, path).defaults ?? {}).filter(
    ([key]) => flags[key]?.inFile && !flags[key].secret,
  );
  return Object.fromEntries(
    own.map(([key, value]) => [key, settingOf(flags, key, value, { path, at: `defaults.${key}`, env })]),
  );
}

/**
 * Reads the settings of a command from its section of a configuration file.
 *
 * @throws {UsageError} that names the file, the place in it and what to write there.
 */
export async function readSection(
  section: 'serve' | 'proxy' | 'certify',
  flags: Flags,
  file: string,
  env: Environment,
): Promise<Readonly<Record<string, unknown>>> {
  const { text, path } = await findConfig(section, file);
  const settings = configOf(text, path)[section] ?? {};
  const read = Object.entries(settings).map(([key, value]) => {
    return [key, settingOf(flags, key, value, { path, at: `${section}.${key}`, env })] as const;
  });
  return Object.fromEntries(read);
}

async function findConfig(name: string, file: string | undefined): Promise<{ text: string; path: string }> {
  for (const path of file === undefined ? usualFiles : [file]) {
    const isThere = await access(path).then(
      () => true,
      ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT',
    );
    if (!isThere && file === undefined) continue;
    const failure = (why: string): UsageError => new UsageError(`Failed to load configuration ${path}: ${why}`);
    return { text: (await readText(path, LARGEST_FILE, failure)).toString(), path };
  }
  throw new UsageError(
    `\`${name}\` is no URL, and there is no ${usualFiles[0]} with a target of that name here. ` +
      'Pass the base URL of a deployment, starting with http:// or https://, or --config FILE.',
  );
}

function configOf(text: string, path: string): CheckConfig {
  try {
    const value = parseYaml(text);
    const stray = strayIn(value);
    if (stray !== undefined) throw new Error(stray);
    return fit(validate, value, { whole: 'The file' });
  } catch (error) {
    throw new UsageError(`Failed to load configuration ${path}: ${(error as Error).message}`);
  }
}

/** The first name that is not known at its place, with the nearest one that is. */
function strayIn(value: unknown): string | undefined {
  if (validate(value)) return undefined;
  const { keyword, instancePath, params, parentSchema } = validate.errors!.at(-1)!;
  if (keyword !== 'additionalProperties') return undefined;
  const stray = String(params['additionalProperty']);
  const at = [...instancePath.split('/').slice(1), stray].join('.');
  const guess = closest(stray, Object.keys(parentSchema.properties ?? {}));
  const hint = guess
    ? `Did you mean ${guess}?`
    : 'The settings are the flags of the command, without the dashes, and the keys that its help names.';
  return `\`${at}\` is not known. ${hint}`;
}

interface ConfigPlace {
  readonly path: string;
  readonly at: string;
  readonly env: Environment;
}

/** A setting as its flag reads it. */
function settingOf(flags: Flags, key: string, value: unknown, place: ConfigPlace): unknown {
  const texts = (Array.isArray(value) ? value : [value]).map((one) => filledIn(String(one), place));
  if (key === 'url') return texts[0];
  const flag: Flag = flags[key]!;
  const name = `${place.path}: \`${place.at}\``;
  const read = (text: string): unknown => {
    if (flag.value === undefined && text === '') throw new UsageError(`${name} must be ${flag.due}; got \`\`.`);
    return readValue(flag, text, name);
  };
  return flag.repeatable ? texts.map(read) : read(texts.join(','));
}

/** The text with `${NAME}` replaced by the environment variable NAME. */
function filledIn(text: string, { path, at, env }: ConfigPlace): string {
  return text.replace(/\$\{([^{}]*)\}/g, (_, name: string) => {
    const value = withoutStrayEnds(env[name] ?? '');
    if (value !== '') return value;
    throw new UsageError(`${path}: \`${at}\` needs the environment variable ${name}, which is not set.`);
  });
}

function severitiesOf(places: readonly (Settings | undefined)[], path: string): CheckOptions['severities'] {
  const all = Object.assign({}, ...places.map((own) => own?.severity)) as NonNullable<CheckOptions['severities']>;
  const ids = rules.map(({ id }) => id);
  const stray = Object.keys(all).find((id) => !ids.includes(id));
  if (stray === undefined) return Object.keys(all).length === 0 ? undefined : all;
  const guess = closest(stray, ids);
  const hint = guess ? `Did you mean ${guess}?` : 'Run `npx --no-install teebox list rules` for the list.';
  throw new UsageError(`${path}: \`severity.${stray}\` is not a rule. ${hint}`);
}

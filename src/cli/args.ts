import { parseArgs } from 'node:util';
import { anyGlob, closest, DURATION_FORMS, readDuration } from '../common/index.js';
import { UsageError } from './usage-error.js';
import type { Environment } from './network/proxy.js';

/** A flag of a command: its help, its environment variables, and how its value is read. */
export interface Flag<T = unknown> {
  /** Placeholder of the value in the help. A flag without one is a switch. */
  readonly value?: string;
  /** Environment variables for the value if the flag is missing; the first one that is set counts. */
  readonly env?: readonly string[];
  readonly repeatable?: boolean;
  /** Adds a further value to those before it. Without it, and unless it is repeatable, the last one counts. */
  join?(before: T, value: T): T;
  /** If true, errors do not repeat the value. */
  readonly secret?: boolean;
  readonly help: string;
  /** Reads the text of the value; returns undefined if it is invalid. */
  read(text: string): T | undefined;
  /** What a valid value is, for the error: "a whole number from 0 to 65535". */
  readonly due: string;
  /** The valid value that an invalid one was perhaps meant to be. */
  guess?(text: string): string | undefined;
  /** Whether it is set once for a deployment or a machine: a key of the configuration file, and no flag. */
  readonly inFile?: true;
  /** The usual values, for completion. */
  readonly choices?: readonly string[];
}

/** How the text of a value is read; several flags share most readers. */
export type Reader<T> = Pick<Flag<T>, 'read' | 'due' | 'guess' | 'choices'>;

export type Flags = Readonly<Record<string, Flag>>;
type ValueOf<F> = F extends Flag<infer T> ? T : never;
/** Values by flag name. A repeatable flag has a list. */
export type Values<F extends Flags> = {
  readonly [Name in keyof F]?: F[Name] extends { repeatable: true } ? readonly ValueOf<F[Name]>[] : ValueOf<F[Name]>;
};

/** The flags that a command line may have: all but the keys of the configuration file. */
export function onCommandLine(flags: Flags): Flags {
  return Object.fromEntries(Object.entries(flags).filter(([, { inFile }]) => !inFile));
}

/** Where a value comes from that was not given as a flag. */
interface Source {
  readonly name: string;
  /** Undefined for the configuration file. */
  readonly variable: string | undefined;
  /** What errors may repeat of the value. */
  readonly texts: readonly string[];
}

/** By the values of a command: those that come from the environment or a file. */
const known = new WeakMap<object, readonly Source[]>();

const sourcesOf = (values: object): readonly Source[] => known.get(values) ?? [];

/** The environment variable that gave a value; undefined if a flag or the configuration file did. */
export function variableOf(values: object, name: string): string | undefined {
  return sourcesOf(values).find((one) => one.name === name)?.variable;
}

/** Where values come from, as sentences: those with some names. */
export function sourceLines(
  values: object,
  isAsked: (name: string, source: Source) => boolean,
  file = 'the configuration file',
): readonly string[] {
  const asked = sourcesOf(values).filter((source) => isAsked(source.name, source));
  return asked.map(({ name, variable }) => {
    return `\`${name}\` comes from ${variable === undefined ? file : `the environment variable ${variable}`}.`;
  });
}

/**
 * A usage error that names the sources of the values that it is about: its message has their flags, or their texts.
 *
 * @param file The path of the configuration file.
 */
export function withSources(error: unknown, values: object, file?: string): unknown {
  if (!(error instanceof UsageError)) return error;
  const { message } = error;
  const isConcerned = (name: string, { variable = file, texts }: Source): boolean => {
    const words = [`--${name}`, ...(name.includes('-') ? [name] : []), ...texts];
    const isNamed = variable !== undefined && hasWord(message, variable);
    return !isNamed && words.some((word) => hasWord(message, word));
  };
  return new UsageError([message, ...sourceLines(values, isConcerned, file)].join(' '), { cause: error });
}

/** Whether a text has a word, and not only as a part of another one. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!/[\w./-]$/.test(text.slice(0, at)) && !/^[\w-]/.test(text.slice(at + word.length))) return true;
  }
  return false;
}

/** The texts and numbers in a value, without plain words: a message has those for other reasons, too. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsOf);
  const text = String(value);
  return text.length > 1 && /[^a-z-]/i.test(text) ? [text] : [];
}

/** A switch. In the environment, `1` and `true` turn it on. */
export function toggle(help: string, env?: string): Flag<boolean> {
  const words: Record<string, boolean> = { '': true, '1': true, true: true, '0': false, false: false };
  return { help, due: 'true or false', ...(env ? { env: [env] } : {}), read: (text) => words[text.toLowerCase()] };
}

export interface Arguments<F extends Flags> {
  readonly values: Values<F>;
  readonly positionals: readonly string[];
}

/**
 * Reads the arguments of a command. Flags override settings, which override environment variables, which override
 * fallbacks.
 *
 * @param section The section of the configuration file for its keys, for the error of one that is given as a flag.
 * @throws {UsageError} for an unknown flag, and for a missing or invalid value.
 */
export function readArguments<F extends Flags>(
  flags: F,
  args: readonly string[],
  env: Environment,
  settings: Readonly<Record<string, unknown>> = {},
  fallbacks: Readonly<Record<string, unknown>> = {},
  section = '`defaults` or a target',
): Arguments<F> {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean' } as const]),
  );
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values: Record<string, unknown> = {};
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const flag = Object.hasOwn(flags, token.name) ? flags[token.name]! : undefined;
    if (!flag) throw unknownFlag(token.rawName, Object.keys(onCommandLine(flags)));
    if (flag.inFile) {
      const variable = flag.env ? `, or set the environment variable ${flag.env[0]}` : '';
      throw new UsageError(
        `${token.rawName} is no flag: set \`${token.name}\` once for all runs, below ${section} in teebox.config.yaml${variable}.`,
      );
    }
    const value = readFlag(flag, token.rawName, token.value);
    if (flag.repeatable) values[token.name] = [...((values[token.name] as unknown[]) ?? []), value];
    else values[token.name] = flag.join && token.name in values ? flag.join(values[token.name], value) : value;
  }
  const sources: Source[] = [];
  const note = (name: string, variable?: string): void => {
    sources.push({ name, variable, texts: flags[name]?.secret ? [] : textsOf(values[name]) });
  };
  const fill = (given: Readonly<Record<string, unknown>>): void => {
    for (const [name, value] of Object.entries(given)) {
      if (name in values) continue;
      values[name] = value;
      note(name);
    }
  };
  fill(settings);
  for (const [name, flag] of Object.entries(flags)) {
    const variable = name in values ? undefined : fromEnvironment(name, flag, env, values);
    if (variable !== undefined) note(name, variable);
  }
  fill(fallbacks);
  known.set(values, sources);
  return { values: values as Values<F>, positionals };
}

function readFlag(flag: Flag, written: string, text: string | undefined): unknown {
  if (!flag.value && text !== undefined) throw new UsageError(`${written} takes no value; got \`${text}\`.`);
  if (flag.value && (text === undefined || text.startsWith('--'))) {
    throw new UsageError(`${written} needs a value: ${flag.due}.`);
  }
  return readValue(flag, text ?? '', written);
}

/**
 * Reads the value of a flag, from wherever it comes.
 *
 * @param place Where it comes from, for the error: "--port", "The environment variable PORT".
 * @throws {UsageError} with what it must be. The value of a secret is not repeated.
 */
export function readValue(flag: Flag, text: string, place: string): unknown {
  const whole = flag.secret ? secretText(text, place) : withoutStrayEnds(text);
  const value = flag.read(whole);
  if (value !== undefined) return value;
  const guess = flag.guess?.(whole);
  const hint = guess === undefined ? '' : ` Did you mean ${guess}?`;
  throw new UsageError(`${place} must be ${flag.due}${flag.secret ? '' : `; got \`${text}\``}.${hint}`);
}

/** Line breaks, marks and invisible characters around a value, which shells, editors and secret stores leave there. */
const strayStart = /^[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/u;
const strayEnd = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u;

export function withoutStrayEnds(text: string): string {
  return text.replace(strayStart, '').replace(strayEnd, '');
}

/**
 * A secret as it can be meant. Credentials have no control characters (RFC 7617, section 2).
 *
 * @throws {UsageError} naming a line break or another control character in it.
 */
export function secretText(text: string, place: string): string {
  const whole = withoutStrayEnds(text);
  const at = whole.search(/(?!\t)\p{Cc}/u);
  if (at < 0) return whole;
  const what = /[\r\n]/.test(whole[at]!) ? 'a line break' : 'a control character';
  throw new UsageError(
    `${place} has ${what} in it, after ${at} characters. Remove it, or quote the value in the shell.`,
  );
}

/** Pairs of quotation marks. */
const quotes = ['""', "''", '``', '“”', '‘’'] as const;

/** A text without the quotation marks around it, as files of variables such as those of Docker keep them. */
export function unquoted(text: string): string {
  const isQuoted = text.length > 1 && quotes.some((pair) => text[0] === pair[0] && text.at(-1) === pair[1]);
  return isQuoted ? text.slice(1, -1) : text;
}

/** Reads the value of a flag from the environment, and returns the variable that gives it, if one does. */
function fromEnvironment(
  name: string,
  flag: Flag,
  env: Environment,
  values: Record<string, unknown>,
): string | undefined {
  const variable = flag.env?.find((one) => env[one] !== undefined && env[one] !== '');
  if (!variable) return undefined;
  const text = env[variable]!;
  const read = (one: string): unknown => readValue(flag, one, `The environment variable ${variable}`);
  values[name] = flag.repeatable ? text.split(',').map((one) => read(one.trim())) : read(text);
  return variable;
}

function unknownFlag(written: string, names: readonly string[]): UsageError {
  const guess = closest(written.replace(/^-+/, ''), names);
  const hint = guess ? ` Did you mean --${guess}?` : ' Run with --help for the list.';
  return new UsageError(`Unknown flag ${written}.${hint}`);
}

/** Any text but an empty one. */
export function some(due: string): Reader<string> {
  return { due, read: (text) => text.trim() || undefined };
}

/** A token. None has blanks or quotation marks (RFC 6750, section 2.1). */
export function token(due: string): Reader<string> {
  return {
    due: `${due}, without blanks and quotation marks`,
    read(text) {
      const word = unquoted(text.trim()).trim();
      return /^[^\s"'`]+$/.test(word) ? word : undefined;
    },
  };
}

export const filePath = some('the path of a file');

/** An id or a glob. One that matches nothing is a typo, which a run would ignore silently. */
export function globOf(ids: readonly string[], due: string): Reader<string> {
  const isKnown = (glob: string): boolean => ids.some(anyGlob([glob]));
  return {
    due,
    read: (text) => (isKnown(text.trim()) ? text.trim() : undefined),
    guess(text) {
      const parts = text.split(/[\s,;]+/).filter(Boolean);
      return parts.length > 1 && parts.every(isKnown)
        ? `the same flag for each: ${parts.join(', ')}`
        : closest(text.trim(), ids);
    },
    choices: ids,
  };
}

export function number(min: number, max: number, due = `a number from ${min} to ${max}`): Reader<number> {
  return {
    due,
    read(text) {
      const value = text.trim() === '' ? NaN : Number(text);
      return value >= min && value <= max ? value : undefined;
    },
  };
}

export function wholeNumber(min: number, max: number): Reader<number> {
  return {
    due: max === Number.MAX_SAFE_INTEGER ? `a whole number of at least ${min}` : `a whole number from ${min} to ${max}`,
    read(text) {
      const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
      return Number.isSafeInteger(value) && value >= min && value <= max ? value : undefined;
    },
  };
}

/**
 * A duration with its unit, read as milliseconds.
 *
 * @param min The shortest one, written like it.
 * @param step What it must be a multiple of, in milliseconds.
 */
export function duration(min: string, max: string, step = 1): Reader<number> {
  const [least, most] = [readDuration(min)!, readDuration(max)!];
  const what = step === 1 ? 'a duration' : 'a duration of whole seconds';
  return {
    due: `${what} from ${min} to ${max} with its unit, such as ${DURATION_FORMS}`,
    read(text) {
      const value = readDuration(text.trim()) ?? NaN;
      return value >= least && value <= most && value % step === 0 ? value : undefined;
    },
    guess: (text) => (/^\d+(\.\d+)?$/.test(text.trim()) ? `${text.trim()}s or ${text.trim()}ms` : undefined),
  };
}

export function oneOf<T extends string>(...options: readonly T[]): Reader<T> {
  return {
    due: `one of ${options.join(', ')}`,
    read: (text) => options.find((option) => option === text),
    guess: (text) => closest(text.toLowerCase(), options),
    choices: options,
  };
}

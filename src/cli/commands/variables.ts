import { closest } from '../../common/index.js';
import type { Environment } from '../network/proxy.js';

/** Every environment variable of Teebox, without `TEEBOX_`. Loading the flags of all commands for them would take too long. */
export const variableNames: readonly string[] = [
  'ADMIN_TOKEN',
  'ALLOW',
  'ALLOW_CALLBACK',
  'BASE_URL',
  'BASIC',
  'CA',
  'CERT',
  'CHAOS',
  'DIALECT',
  'EXAM',
  'EXPIRES_IN',
  'FACILITIES',
  'FORGET_TOKENS',
  'HOST',
  'INSECURE',
  'JSON',
  'KEY',
  'KEY_PASSPHRASE',
  'LOG_FORMAT',
  'LOG_LEVEL',
  'MAX_WORLDS',
  'MEMORY_BUDGET',
  'NOW',
  'NO_ADMIN',
  'NO_MAGIC',
  'PASSWORD',
  'PORT',
  'PURE',
  'REFRESH_TOKEN',
  'SCENARIO',
  'SCENARIOS',
  'SECOND_BASIC',
  'SECOND_REFRESH_TOKEN',
  'SECOND_TOKEN_FILE',
  'SEED',
  'STATE',
  'STATE_SYNC',
  'TOKEN_FILE',
  'USERNAME',
  'VERSIONS',
  'WORLD',
  'WORLD_IDLE',
];

const PREFIX = 'TEEBOX_';

/** A line for each variable that nobody reads, and that is almost one of Teebox. Others belong to somebody else. */
export function misspelledVariables(env: Environment): readonly string[] {
  return Object.keys(env).flatMap((name) => {
    const own = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;
    if (own === undefined || variableNames.includes(own)) return [];
    const guess = closest(own, variableNames);
    return guess === undefined ? [] : [`The environment variable ${name} is not read. Did you mean ${PREFIX}${guess}?`];
  });
}

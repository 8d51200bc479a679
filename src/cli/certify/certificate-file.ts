import type { Certification } from '../../certification/index.js';
import { isObject } from '../../conformance/index.js';
import { readJson } from '../json-file.js';
import { UsageError } from '../usage-error.js';
import type { CertifyValues } from './output.js';

/**
 * Reads a certificate in JSON.
 *
 * @throws {UsageError} if the file is none.
 */
export function readCertificate(file: string): Promise<Certification> {
  return readJson(file, 'certificate', (value) => {
    if (!isCertification(value)) {
      throw new Error('it is no certificate of `teebox certify --certificate FILE.json`, or a part of it is missing.');
    }
    return value;
  });
}

function isCertification(value: unknown): value is Certification {
  if (!isObject(value)) return false;
  const { digest, seed, facilities, now, teebox, dialect, exams, obligations, versions } = value;
  const isList = (list: unknown): boolean =>
    Array.isArray(list) && list.every((one) => isObject(one) && typeof one['id'] === 'string');
  return (
    [digest, now, teebox].every((one) => typeof one === 'string') &&
    [seed, facilities].every((one) => Number.isSafeInteger(one)) &&
    isObject(dialect) &&
    isObject(dialect['answers']) &&
    Array.isArray(versions) &&
    isList(exams) &&
    (exams as readonly Record<string, unknown>[]).every(({ results }) => isList(results)) &&
    isList(obligations)
  );
}

const itsFlags = ['exams', 'skip', 'only', 'seed', 'facilities', 'dialect', 'known', 'versions'] as const;

/** @throws {UsageError} for a flag whose value a certificate has. */
export function refuseItsFlags(values: CertifyValues): void {
  const given = itsFlags.find((name) => values[name] !== undefined);
  if (given === undefined) return;
  throw new UsageError(`--verify takes ${given} from the certificate. Leave out --${given}, or unset its variable.`);
}

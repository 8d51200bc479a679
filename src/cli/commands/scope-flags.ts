import { versions as all } from '../../conformance/index.js';
import { operations } from '../../contract/index.js';
import { type Flags, globOf, type Reader, wholeNumber } from '../args.js';

const versionList: Reader<readonly string[]> = {
  due: `a list of ${all.join(', ')}`,
  read(text) {
    const words = text.split(',').map((word) => word.trim());
    return words.every((word) => all.some((version) => version === word)) ? words : undefined;
  },
};

const operationGlob = globOf(
  operations.flatMap(({ id, name }) => [id, name]),
  'the name or id of an operation, or a glob that matches at least one, such as "list*" or "v4.*"',
);

/** Flags of what a deployment has. Nothing is sent to anything else. */
export const scopeFlags = {
  versions: {
    inFile: true,
    value: 'LIST',
    env: ['TEEBOX_VERSIONS'],
    help: 'the versions that the deployment has, such as v4,v5; rules of others are not run (all)',
    ...versionList,
  },
  operations: {
    inFile: true,
    value: 'GLOB',
    repeatable: true,
    help: 'the operations that the deployment has, such as "list*" or v5.createBooking; repeatable (all)',
    ...operationGlob,
  },
  facility: {
    value: 'ID',
    repeatable: true,
    help: 'a facility that the run always reads, even if no operation lists facilities; repeatable',
    ...wholeNumber(0, Number.MAX_SAFE_INTEGER),
  },
} as const satisfies Flags;

import {
  operationOf,
  invalidParameters,
  operations,
  type OperationSpec,
  type ParameterSpec,
} from '../../../contract/index.js';
import { closest } from '../../../common/index.js';
import type { ObligationSpec, Sight } from '../obligation.js';
import { type ClientCall, queryOf } from '../traffic.js';
import { type Slips, watchSlips } from '../slips.js';

/** The parameters of all operations, and the usual names of those that would change what an answer has. */
const meaningful = new Set(
  [
    ...operations.flatMap(({ parameters }) => parameters.map(({ name }) => name)),
    'page',
    'pageNumber',
    'pageSize',
    'perPage',
    'size',
    'skip',
    'cursor',
    'sort',
    'sortBy',
    'orderBy',
    'filter',
  ].map(plain),
);

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

export const documentedParameters: ObligationSpec = {
  id: 'requests.documented-parameters',
  watch: (sight) =>
    watchSlips(sight, (slips, call) => {
      if (!call.operation) return;
      const operation = operationOf(call.operation);
      if (operation.parameters.length > 0) checkValues(slips, call, operation);
      checkNames(sight, call, operation);
    }),
};

function checkValues(slips: Slips, call: ClientCall, operation: OperationSpec): void {
  const invalid = new Map(
    invalidParameters(operation, new Map(Object.entries(call.params))).map((one) => [one.spec, one]),
  );
  const query = queryOf(call);
  for (const spec of operation.parameters) {
    const validationError = invalid.get(spec);
    const scope = `${operation.id} ${spec.name}`;
    const values = spec.in === 'query' ? query.getAll(spec.name) : [call.params[spec.name]!];
    const isList = spec.kind === 'integers' && values.length > 1;
    if (
      isList ||
      (validationError && (validationError.value === undefined || !isTakenAsRight(spec, validationError.value)))
    ) {
      const found = isList
        ? 'is there several times'
        : validationError!.value === undefined
          ? 'is missing'
          : 'has another form';
      const mistake = isList ? 'list' : (validationError!.value?.slice(0, 30) ?? 'missing');
      slips.wrong(scope, mistake, call, {
        message: `The parameter \`${spec.name}\` of \`${operation.id}\` ${found}.`,
        expected: `\`${spec.name}\` is ${formOf(spec)}${spec.required ? ', and required' : ''}.`,
      });
    } else if (values.length > 0) slips.right(scope, call);
  }
}

/** Other obligations check dates and the number of facility ids, and the API specification leaves some forms open. */
function isTakenAsRight({ kind }: ParameterSpec, value: string): boolean {
  switch (kind) {
    case 'date':
    case 'date-either':
      return true;
    case 'integers':
      return /^\s*\d{1,15}\s*(,\s*\d{1,15}\s*)*$/.test(value);
    case 'boolean':
      return /^(true|false)$/i.test(value);
    case 'version':
      return /^v\d+$/.test(value);
    default:
      return false;
  }
}

function formOf({ kind, min, max, values }: ParameterSpec): string {
  if (values) return values.join(' or ');
  switch (kind) {
    case 'integer':
      return max === undefined
        ? `an integer${min === undefined ? '' : ` of at least ${min}`}`
        : `an integer from ${min} to ${max}`;
    case 'integers':
      return 'a list of facility ids with commas between them';
    case 'boolean':
      return 'true or false';
    case 'date':
      return 'a date dd-mm-yyyy';
    case 'date-either':
      return 'a date dd-mm-yyyy or yyyy-mm-dd';
    case 'url':
      return 'an http or https address';
    default:
      return 'a text that is not empty';
  }
}

/**
 * A parameter that the operation does not have is harmless unless the client means something with it: it is spelt nearly like
 * one that the operation has, belongs to another one, or would select or sort. Numbers against caching and the like are none.
 */
function checkNames(sight: Sight, call: ClientCall, operation: OperationSpec): void {
  const own = operation.parameters.map(({ name }) => name);
  for (const name of queryOf(call).keys()) {
    if (own.includes(name)) continue;
    const near = closest(
      name,
      own.filter((one) => call.params[one] === undefined),
    );
    if (near === undefined && !meaningful.has(plain(name))) continue;
    sight.broken({
      message: `The client sent the parameter \`${name.slice(0, 50)}\`, which \`${operation.id}\` does not have.`,
      expected: near
        ? `The API specification calls it \`${near}\`.`
        : own.length === 0
          ? 'It has no parameters.'
          : `It has only ${own.map((one) => `\`${one}\``).join(', ')}.`,
      evidence: [call],
    });
    return;
  }
}

import { isObject } from '../../../common/index.js';
import { fieldsOf, operationOf, bodyValidators, type BodyFields } from '../../../contract/index.js';
import type { ObligationSpec } from '../obligation.js';
import { type ClientCall, requestJson } from '../traffic.js';
import { watchSlips } from '../slips.js';

/**
 * Texts in a form that the validators take. The API specification does not give the form of most, and other
 * obligations check that of dates and references.
 */
const plainTexts: Readonly<Record<string, string>> = {
  teetime: '2026-01-01 08:00:00',
  course: 'x',
  round: 'x',
  contactFirstName: 'x',
  contactLastName: 'x',
  contactName: 'x',
  contactPhone: '1',
  contactEmail: 'x@x',
  netRate: '1',
  linkedTeeTimeRef: '00000000-0000-0000-0000-000000000000',
  paymentIntent: 'x',
};

export const documentedBody: ObligationSpec = {
  id: 'requests.documented-body',
  watch: (sight) =>
    watchSlips(sight, (slips, call) => {
      const { id, bodies } = call.operation ? operationOf(call.operation) : {};
      if (id === undefined || !bodies) return;
      const fault = faultOf(call, bodies);
      if (!fault) return slips.right(id, call);
      slips.wrong(id, fault, call, {
        message: `The body of \`${id}\` ${fault}.`,
        expected: `The body is ${bodies.join(' or ')} of the contract: every required field is there, and each has its type.`,
      });
    }),
};

function faultOf(call: ClientCall, names: readonly string[]): string | undefined {
  if (!call.body) return 'is missing';
  const json = requestJson(call);
  if (json === undefined) return 'is no JSON';
  const name = names.find((one) => isShapeOf(one, json)) ?? names[0]!;
  const body = plainly(json, fieldsOf(name));
  const validate = bodyValidators[name]!;
  if (validate(body)) return undefined;
  const [error] = validate.errors ?? [];
  const field = (error?.instancePath ?? '')
    .replace(/\/\d+\//g, '/')
    .replace(/^\//, '')
    .slice(0, 50);
  if (
    error?.keyword === 'anyOf' ||
    error?.schemaPath.includes('FullName') ||
    error?.schemaPath.includes('SingleName')
  ) {
    return 'has no name of the contact';
  }
  return `is wrong: ${field ? `\`${field}\` ` : 'it '}${error?.message ?? 'does not fit'}`;
}

/** Which of several bodies a body wants to be. */
function isShapeOf(name: string, body: unknown): boolean {
  if (Array.isArray(body)) return name.endsWith('List');
  return isObject(body) && 'details' in body === (name === 'BookingsWithPayment');
}

/** A body without what is open: the form of its texts, and null for what is optional. */
function plainly(body: unknown, fields: BodyFields): unknown {
  if (Array.isArray(body)) return body.map((one) => plainly(one, fields));
  if (!isObject(body)) return body;
  const kept = Object.entries(body).filter(([name, value]) => value !== null || fields[name]?.required !== 'no');
  return Object.fromEntries(
    kept.map(([name, value]) => {
      if (name === 'details') return [name, plainly(value, fieldsOf('BookingRequestV5'))];
      const isText = typeof value === 'string' && (name !== 'netRate' || /^-?\d/.test(value));
      return [name, isText ? (plainTexts[name] ?? value) : value];
    }),
  );
}

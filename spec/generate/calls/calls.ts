import { type Contract, deref, type Placed, placedOperations } from '../contract.js';
import { nameOf } from '../names.js';
import { type Body, bodiesOf } from './bodies.js';
import type { Call } from './call.js';

/** What a booking must exist for. */
const BOOKED = 'v5.createBooking';
const GROUPED = 'v5.createBooking.several';

/** The calls of every operation of every version, in the order of the contract's resources and versions. */
export async function callsOf(contract: Contract): Promise<Call[]> {
  const calls: Call[] = [];
  for (const placed of placedOperations(contract)) {
    const bodies = await bodiesOf(contract, placed.operation);
    calls.push(...(bodies.length === 0 ? [undefined] : bodies).map((body) => callOf(contract, placed, body)));
  }
  return contract.tags.flatMap(({ name }) => calls.filter(({ resource }) => resource === name));
}

function callOf(contract: Contract, { method, path, operation }: Placed, body: Body | undefined): Call {
  const { operationId, summary, security, parameters = [] } = operation;
  const { name, version } = nameOf(operationId);
  const title = body?.title ?? summary;
  const query = parameters.map((one) => deref(contract, one)).filter((one) => one.in === 'query');
  return {
    id: body?.shape ? `${operationId}.${body.shape}` : operationId,
    operation: operationId,
    name,
    version,
    resource: operation.tags[0]!,
    title: titleOf(title, version),
    description: operation.description ?? '',
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => `{{${variables[parameter] ?? parameter}}}`),
    query: query.map((one) => [one.name, fixed[one.name] ?? `{{${one.name}}}`] as const),
    ...(body && { body: body.text }),
    auth: security?.length !== 0,
    rule: operation['x-rule'],
    ...(needOf(name) && { needs: needOf(name)! }),
  };
}

/** Parameters whose variable has another name. */
const variables: Readonly<Record<string, string>> = { serviceBookingId: 'bookingId', bulkBookingId: 'groupId' };

/** Parameters that have the same value in every call. */
const fixed: Readonly<Record<string, string>> = { connected: 'true', offset: '0', limit: '2' };

/** `Confirm the payment of a booking (v5, paused)`: what the summary has in parentheses goes behind the version. */
function titleOf(summary: string, version: string): string {
  const [, words, state] = /^(.*?)(?: \((\w+)\))?$/.exec(summary)!;
  const marks = [version, state].filter((one) => one !== undefined && one !== '*');
  return marks.length === 0 ? words! : `${words} (${marks.join(', ')})`;
}

function needOf(name: string): string | undefined {
  if (name === 'confirmPayment' || name === 'listBookings') return BOOKED;
  return name === 'confirmBulkPayment' ? GROUPED : undefined;
}

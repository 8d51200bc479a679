import { format } from 'oxfmt';
import { type Contract, deref, type Operation, type Schema } from '../contract.js';

type Booking = Record<string, unknown>;
type Wanted = '' | 'second' | 'linked' | 'linkedSecond';

/** A body of an operation, with its shape's words where the operation has several. */
export interface Body {
  readonly shape?: string;
  readonly title?: string;
  readonly text: string;
}

/** The bodies of an operation, by its first request schema: the examples of the contract, with variables for what must exist. */
export async function bodiesOf(contract: Contract, { operationId, requestBody }: Operation): Promise<readonly Body[]> {
  const of = (name: string): unknown => deref(contract, contract.components.examples[name]!).value;
  const group = of('BookingsWithPayment') as { details: Booking[]; paymentIntent: string };
  const several = pair(group.details, '', 'second');
  if (!requestBody) return [];
  const schema = requestBody.content!['application/json'].schema;
  const [first = schema] = (schema['anyOf'] as Schema[] | undefined) ?? [];
  const name = String(first['$ref']).split('/').at(-1)!;
  switch (name) {
    case 'RefreshRequest':
      return [{ text: await json({ refresh_token: '{{refreshToken}}' }) }];
    case 'BookingRequestV2':
      return [{ text: await json(withVariables(of('BookingRequestV2') as Booking, '')) }];
    case 'BookingRequestV3List':
      return [{ text: await json(pair(of('BookingRequestV3List') as Booking[], '', 'second')) }];
    case 'BookingRequestV5':
      return [
        { title: 'Book one tee time', text: await json(withVariables(of('BookingRequestV5') as Booking, '')) },
        { shape: 'several', title: 'Book several tee times', text: await json(several) },
        {
          shape: 'payment',
          title: 'Book several tee times with a payment intent',
          text: await json({ ...group, details: several }),
        },
        {
          shape: 'linked',
          title: 'Book linked tee times',
          text: await json(pair(of('BookingRequestV5List') as Booking[], 'linked', 'linkedSecond').map(withoutExtras)),
        },
      ];
    default:
      throw new Error(
        `${operationId} takes \`${name}\`, of which spec/generate/calls/bodies.ts makes no body. Add a case for it.`,
      );
  }
}

function pair(bookings: readonly Booking[], first: Wanted, second: Wanted): Booking[] {
  return [withVariables(bookings[0]!, first), withVariables(bookings[1]!, second)];
}

function withoutExtras(booking: Booking): Booking {
  return Object.fromEntries(Object.entries(booking).filter(([field]) => field !== 'extraProduct'));
}

/** A variable that stands for a number is marked, until the text is written. */
const number = (name: string): string => `{{${name}}}#`;

function withVariables(booking: Booking, prefix: Wanted): Booking {
  const linked = prefix.startsWith('linked');
  const name = (field: string): string => (prefix === '' ? field : prefix + field[0]!.toUpperCase() + field.slice(1));
  const shared = (field: string): string => (linked ? `linked${field[0]!.toUpperCase()}${field.slice(1)}` : field);
  const variables: Booking = {
    facilityId: number(shared('facilityId')),
    teetime: `{{${name('teetime')}}}`,
    course: `{{${name('course')}}}`,
    round: `{{${name('course')}}}`,
    players: number('players'),
    teeId: number(name('teeId')),
    holes: number(shared('holes')),
    productId: number(name('productId')),
    netRate: typeof booking['netRate'] === 'string' ? `{{${name('netRate')}}}` : number(name('netRate')),
  };
  const extras = booking['extraProduct'] as { quantity: number }[] | undefined;
  if (extras?.length) variables['extraProduct'] = [{ mid: number(name('extraProductId')), quantity: 1 }];
  const placed = Object.entries(booking).map(([field, value]) => [field, variables[field] ?? value]);
  return Object.fromEntries(placed) as Booking;
}

async function json(value: unknown): Promise<string> {
  const { code } = await format('body.json', JSON.stringify(value), { printWidth: 110, objectWrap: 'collapse' });
  return code.trimEnd().replaceAll(/"(\{\{\w+\}\})#"/g, '$1');
}

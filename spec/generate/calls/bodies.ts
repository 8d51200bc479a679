import { format } from 'prettier';
import { type Contract, deref } from '../contract.js';

type Booking = Record<string, unknown>;
type Wanted = '' | 'second' | 'linked' | 'linkedSecond';

/** A body of an operation, with its shape's words where the operation has several. */
export interface Body {
  readonly shape?: string;
  readonly title?: string;
  readonly text: string;
}

/** The bodies of each operation that has one: the examples of the contract, with variables for what must exist. */
export async function bodiesOf(contract: Contract, operation: string): Promise<readonly Body[]> {
  const of = (name: string): unknown => deref(contract, contract.components.examples[name]!).value;
  const group = of('BookingsWithPayment') as { details: Booking[]; paymentIntent: string };
  const several = pair(group.details, '', 'second');
  switch (operation) {
    case 'refreshToken':
      return [{ text: await json({ refresh_token: '{{refreshToken}}' }) }];
    case 'v2.createBooking':
      return [{ text: await json(withVariables(of('BookingRequestV2') as Booking, '')) }];
    case 'v3.createBulkBooking':
      return [{ text: await json(pair(of('BookingRequestV3List') as Booking[], '', 'second')) }];
    case 'v5.createBooking':
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
      return [];
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
  const text = await format(JSON.stringify(value), { parser: 'json', printWidth: 110, objectWrap: 'collapse' });
  return text.trimEnd().replaceAll(/"(\{\{\w+\}\})#"/g, '$1');
}

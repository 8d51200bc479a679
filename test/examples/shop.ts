/** A partner's program, cut down to what the examples test: a search, a booking, and the list of what was booked. */

export interface TeeTime {
  readonly teeid: number;
  readonly time: string;
  readonly course: string;
  readonly holes: number;
  readonly products: readonly { readonly mid: number; readonly available: number }[];
}

export interface Shop {
  /** The tee times for two on a day, written dd-mm-yyyy. */
  teeTimes(day: string): Promise<TeeTime[]>;
  book(teeTime: TeeTime): Promise<{ readonly bookingId: string }>;
  /** The identifiers of all bookings. */
  bookings(): Promise<string[]>;
  /** Searches several facilities; the result is posted to `callbackUrl`. */
  search(day: string, callbackUrl: string): Promise<void>;
}

type Send = (request: Request) => Response | Promise<Response>;

/** What a query or a body says of the service's answer is checked by the tests. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

const ada = {
  contactFirstName: 'Ada',
  contactLastName: 'Lovelace',
  contactPhone: '+31 20 555 0100',
  contactEmail: 'ada@partner.example',
};

function bookingOf({ time, course, teeid, holes, products }: TeeTime): Record<string, unknown> {
  const place = { facilityId: 1001, teetime: time.replace('T', ' '), course, teeId: teeid, holes };
  return { ...place, players: 2, productId: products[0]!.mid, ...ada };
}

/** Opens the shop; any answer but a success is thrown, as status and text. */
export function openShop(
  baseUrl: string,
  { username, password }: { readonly username: string; readonly password: string },
  send: Send = (request) => fetch(request),
): Shop {
  const headers = {
    authorization: `Basic ${btoa(`${username}:${password}`)}`,
    'content-type': 'application/json',
  };
  const call = async (path: string, init: RequestInit = {}): Promise<Json> => {
    const response = await send(new Request(`${baseUrl}/api/${path}`, { ...init, headers }));
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return ((await response.json()) as Json).data;
  };
  return {
    teeTimes: async (day) =>
      (await call(`v4/teetimes/1001?${new URLSearchParams({ bookingDate: day, players: '2', holes: '18' })}`))
        .teeTimeV3,
    book: (teeTime) => call('v5/bookings', { method: 'POST', body: JSON.stringify(bookingOf(teeTime)) }),
    bookings: async () => (await call('v4/bookings')).map(({ bookingId }: Json) => bookingId),
    search: async (day, callbackUrl) => {
      const query = { facilityIds: '1001', fromDate: day, toDate: day, players: '2', holes: '18', callbackUrl };
      await call(`v5/teetimes?${new URLSearchParams(query)}`);
    },
  };
}

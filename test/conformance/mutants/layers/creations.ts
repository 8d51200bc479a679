import type { Layer } from '../../deployment.js';

export type Item = Readonly<Record<string, any>>;

interface Creation {
  readonly version: string;
  readonly items: readonly Item[];
  readonly asList: boolean;
}

/** What a request books; undefined for one that books nothing. */
async function creationIn(request: Request): Promise<Creation | undefined> {
  const found = /\/api\/(v\d)\/(?:bulk)?bookings$/.exec(new URL(request.url).pathname);
  if (!found || request.method !== 'POST') return undefined;
  const body: unknown = await request.clone().json();
  const asList = Array.isArray(body);
  return { version: found[1]!, items: asList ? (body as Item[]) : [body as Item], asList };
}

/** Bookings of a version that a careless deployment takes without a look at what is wrong with them. */
export function taking(version: string, when: (items: readonly Item[]) => boolean): Layer {
  return async (request, through) => {
    const creation = await creationIn(request);
    if (creation?.version !== version || !when(creation.items)) return through(request);
    const bookingIds = creation.items.map(({ teetime }, index) => {
      return { bookingId: `TAKEN-${index}`, teetime: String(teetime).replace(' ', 'T'), courseId: 1 };
    });
    const group = { [version === 'v3' ? 'bulkBookingId' : 'groupId']: 1, bookingIds };
    return Response.json({ success: true, data: creation.asList ? group : { bookingId: 'TAKEN-0' } });
  };
}

/** Bookings of a version that a deployment refuses, whatever the API specification says of them. */
export function refusing(version: string, when: (items: readonly Item[], asList: boolean) => boolean): Layer {
  return async (request, through) => {
    const creation = await creationIn(request);
    if (creation?.version !== version || !when(creation.items, creation.asList)) return through(request);
    return Response.json({ success: false, data: null, message: 'This booking is refused.' }, { status: 400 });
  };
}

/** Takes note of every booking that is accepted, by its id; everything else is for another layer. */
export function noticing(note: (id: unknown, item: Item, body: unknown) => void, otherwise: Layer): Layer {
  return async (request, through) => {
    if (!(await creationIn(request))) return otherwise(request, through);
    const body: any = await request.clone().json();
    const response = await through(request);
    const { data }: any = response.ok ? await response.clone().json() : {};
    const items: readonly Item[] = Array.isArray(body) ? body : (body.details ?? [body]);
    const ids = data?.bookingIds?.map((one: Item) => one['bookingId']) ?? [data?.bookingId];
    for (const [at, item] of items.entries()) if (ids[at] !== undefined) note(ids[at], item, body);
    return response;
  };
}

/** Reads the bookings of a version otherwise than they were sent. */
export function rewriting(version: string, rewrite: (item: Item) => Item): Layer {
  return async (request, through) => {
    const creation = await creationIn(request);
    if (creation?.version !== version) return through(request);
    const items = creation.items.map(rewrite);
    const { url, method, headers } = request;
    return through(new Request(url, { method, headers, body: JSON.stringify(creation.asList ? items : items[0]) }));
  };
}

/** Alters refusals of requests whose path fits. */
export function refusingOtherwise(
  path: RegExp,
  alter: (body: any, response: Response) => readonly [status: number, body: unknown],
): Layer {
  return async (request, through) => {
    const response = await through(request);
    if (!path.test(new URL(request.url).pathname) || response.ok) return response;
    const [status, body] = alter(await response.json(), response);
    return Response.json(body, { status });
  };
}

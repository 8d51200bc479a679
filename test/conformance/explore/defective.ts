import type { Layer } from '../deployment.js';

export type Fields = Record<string, any>;

/** What a request asks for, as far as a defect looks at it. */
export interface Ask {
  readonly kind: 'book' | 'pay' | 'pay group' | 'cancel' | 'list' | 'sheet' | 'prices' | 'refresh' | 'other';
  readonly version: string;
  /** The bookings of a body. */
  readonly items: readonly Fields[];
  /** The booking or group that the path names. */
  readonly id: string;
  readonly channel: string;
  readonly url: URL;
  readonly isLinked: boolean;
  readonly shape: 'one' | 'list' | 'details';
}

type Through = (request: Request) => Promise<Response>;

/** A deployment in the course of a run: what it has booked, and what a defect has made of it. */
export class Ledger {
  /** Free slots that tee sheets show too many, by tee time. */
  readonly shifts = new Map<number, number>();
  /** States that lists show, by booking. */
  readonly states = new Map<string, string>();
  readonly hidden = new Set<string>();
  /** Accepted bookings by their id, with the ask that made them. */
  readonly made = new Map<string, { readonly item: Fields; readonly ask: Ask; readonly group: string }>();
  readonly paid = new Map<string, number>();
  readonly canceled = new Set<string>();
  /** Bookings that are under way, by tee time. */
  readonly open = new Map<number, number>();
  readonly memo = new Map<string, any>();

  shift(teeId: number, by: number): void {
    this.shifts.set(teeId, (this.shifts.get(teeId) ?? 0) + by);
  }

  /** Bookings of a tee time, the first one first. */
  of(teeId: number): readonly string[] {
    return [...this.made].filter(([, { item }]) => item['teeId'] === teeId).map(([id]) => id);
  }
}

/** What a defect may do at each moment. */
export interface Defect {
  /** Before the deployment sees it; an answer replaces its own. */
  readonly before?: (ask: Ask, ledger: Ledger) => Response | undefined;
  /** After the answer; a further answer replaces it. */
  readonly after?: (ask: Ask, ok: boolean, ledger: Ledger, body: any) => Response | undefined | void;
  /** The bookings of a list. */
  readonly list?: (items: Fields[], ask: Ask, ledger: Ledger) => Fields[];
  /** Sees whether another booking of its tee times was under way when it began. */
  readonly rival?: (ask: Ask, ok: boolean, ledger: Ledger, body: any) => Response | undefined | void;
  /** Keeps the answers to these reads, for this share of the processes. */
  readonly caches?: (ask: Ask) => boolean;
}

const kinds: readonly (readonly [RegExp, Ask['kind']])[] = [
  [/^POST \/api\/v\d\/(bulk)?bookings$/, 'book'],
  [/\/bulkbookings\/payment\//, 'pay group'],
  [/\/bookings\/payment\//, 'pay'],
  [/^DELETE /, 'cancel'],
  [/^GET \/api\/v\d\/bookings$/, 'list'],
  [/^GET \/api\/v\d\/teetimes\/\d/, 'sheet'],
  [/\/price\//, 'prices'],
  [/refreshToken$/, 'refresh'],
];

async function askOf(request: Request): Promise<Ask> {
  const url = new URL(request.url);
  const kind = kinds.find(([shape]) => shape.test(`${request.method} ${url.pathname}`))?.[1] ?? 'other';
  const text = kind === 'book' ? await request.clone().text() : '';
  const body = text === '' ? [] : JSON.parse(text);
  const shape = Array.isArray(body) ? 'list' : Array.isArray(body.details) ? 'details' : 'one';
  const items: Fields[] = shape === 'list' ? body : shape === 'details' ? body.details : [body];
  const version = /\/api\/(v\d)/.exec(url.pathname)?.[1] ?? '';
  const id = decodeURIComponent(url.pathname.split('/').at(-1)!);
  const channel = request.headers.get('authorization') ?? '';
  const isLinked =
    version === 'v5' && items.length > 1 && items.every((item) => item['linkedTeeTimeRef'] !== undefined);
  return { kind, version, items, id, channel, url, isLinked, shape };
}

export const success = (data: unknown): Response => Response.json({ success: true, data });
export const refusal = (): Response =>
  Response.json({ success: false, data: null, message: 'Refused.' }, { status: 400 });

/** The answer to a booking that nobody has made. */
export function invented({ items, shape, version }: Ask, id: string): Response {
  const bookingIds = items.map(({ teetime }, at) => {
    return { bookingId: `${id}-${at}`, teetime: String(teetime).replace(' ', 'T'), courseId: 1 };
  });
  if (shape === 'one') return success({ bookingId: `${id}-0` });
  return success({ [version === 'v3' ? 'bulkBookingId' : 'groupId']: 900_000 + bookingIds.length, bookingIds });
}

/** The sandbox with a defect. */
export function defective(make: () => Defect): Layer {
  const ledger = new Ledger();
  const defect = make();
  let turn = 0;
  return async (request, through) => {
    const ask = await askOf(request);
    const isRead = ask.kind === 'list' || ask.kind === 'sheet' || ask.kind === 'prices';
    const key = `${ask.channel} ${ask.url.href}`;
    if (isRead && defect.caches?.(ask) && (turn += 1) % 2 === 0) {
      const known = ledger.memo.get(key);
      if (known !== undefined) return Response.json(known);
      const response = await answer(request, through, ask, ledger, defect);
      if (response.ok) ledger.memo.set(key, await response.clone().json());
      return response;
    }
    return answer(request, through, ask, ledger, defect);
  };
}

async function answer(request: Request, through: Through, ask: Ask, ledger: Ledger, defect: Defect): Promise<Response> {
  const early = defect.before?.(ask, ledger);
  if (early) return early;
  const teeIds = ask.kind === 'book' ? ask.items.map((item) => Number(item['teeId'])) : [];
  const hasRival = (): boolean => teeIds.some((id) => (ledger.open.get(id) ?? 0) > 1);
  for (const id of teeIds) ledger.open.set(id, (ledger.open.get(id) ?? 0) + 1);
  // Others get their turn, as they would in a service with a database.
  await new Promise((resolve) => setImmediate(resolve));
  const rivalled = hasRival();
  const response = await through(request);
  await new Promise((resolve) => setImmediate(resolve));
  for (const id of teeIds) ledger.open.set(id, ledger.open.get(id)! - 1);
  if (isUntouched(ask, ledger, defect)) return response;
  const text = await response.text();
  let body: any;
  try {
    body = JSON.parse(text);
  } catch {
    return new Response(text, response);
  }
  const ok = response.ok && body.success === true;
  const replaced =
    (rivalled ? defect.rival?.(ask, ok, ledger, body) : undefined) ?? defect.after?.(ask, ok, ledger, body);
  if (replaced) return replaced;
  if (ok) note(ask, body, ledger);
  if (ok && ask.kind === 'list') body.data = listed(body.data, ask, ledger, defect);
  if (ok && ask.kind === 'sheet') shiftIn(body.data, ledger);
  return Response.json(body, { status: response.status, headers: headersOf(response) });
}

/** Whether an answer is passed on as it is. */
function isUntouched({ kind }: Ask, { shifts, hidden, states }: Ledger, { list }: Defect): boolean {
  if (kind === 'sheet') return shifts.size === 0;
  if (kind === 'list') return !list && hidden.size === 0 && states.size === 0;
  return kind === 'prices' || kind === 'other';
}

function headersOf(response: Response): Headers {
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return headers;
}

function note(ask: Ask, { data }: any, ledger: Ledger): void {
  if (ask.kind === 'book') {
    const ids: string[] = Array.isArray(data?.bookingIds)
      ? data.bookingIds.map((one: Fields) => one['bookingId'])
      : [data?.bookingId];
    const group = String(data?.groupId ?? data?.bulkBookingId ?? ids[0]);
    for (const [at, id] of ids.entries()) ledger.made.set(id, { item: ask.items[at]!, ask, group });
  }
  if (ask.kind === 'pay') ledger.paid.set(ask.id, (ledger.paid.get(ask.id) ?? 0) + 1);
  if (ask.kind === 'cancel') ledger.canceled.add(ask.id);
}

function listed(items: Fields[], ask: Ask, ledger: Ledger, { list }: Defect): Fields[] {
  const shown = items
    .filter((item) => !ledger.hidden.has(item['bookingId']))
    .map((item) => ({
      ...item,
      ...(ledger.states.has(item['bookingId']) ? { status: ledger.states.get(item['bookingId']) } : {}),
    }));
  return list ? list(shown, ask, ledger) : shown;
}

function shiftIn(data: any, { shifts }: Ledger): void {
  for (const one of (data?.teeTimeV3 ?? data?.teeTimeV2 ?? data ?? []) as Fields[]) {
    const by = shifts.get(one['teeid'] ?? one['id']) ?? 0;
    if (by === 0) continue;
    const moved = (free: number): number => Math.min(4, Math.max(0, free + by));
    if (Array.isArray(one['products']))
      for (const product of one['products']) product.available = moved(product.available);
    else one['players'] = moved(one['players']);
  }
}

import type { ObligationId } from '../../../../src/contract/generated/obligations.js';
import type { Partner } from '../partner/partner.js';
import type { ShopDay } from '../partner/shop-day.js';
import type { Wish } from '../partner/wishes.js';

/** The client before its day begins, and the credentials of another channel of the same partner. */
export interface Mutated {
  readonly partner: Partner;
  readonly day: ShopDay;
  readonly second: { readonly username: string; readonly password: string };
}

/** The correct client with one defect. */
export interface ClientMutant {
  readonly name: string;
  /** What it does wrong. */
  readonly does: string;
  /** The obligation that fails it. */
  readonly breaks: ObligationId;
  /** Obligations that the same defect breaks as well, and why it cannot be otherwise. */
  readonly also?: Partial<Record<ObligationId, string>>;
  /** The exams in which it is run. */
  readonly exams: readonly string[];
  plant(mutated: Mutated): void;
}

/** Mutants that break one obligation. */
export function breaking(
  breaks: ObligationId,
  mutants: readonly Omit<ClientMutant, 'breaks'>[],
): readonly ClientMutant[] {
  return mutants.map((mutant) => ({ breaks, ...mutant }));
}

/** Lets every request to certain paths go out in another form. */
export function rewrite({ partner }: Mutated, path: RegExp, edit: (request: Request) => Promise<Request>): void {
  const { transport } = partner;
  const attempt = transport.attempt.bind(transport);
  transport.attempt = async (request) => attempt(path.test(request.url) ? await edit(request) : request);
}

/** Lets the JSON bodies that are sent to certain paths go out changed. */
export function rewriteBody(mutated: Mutated, path: RegExp, edit: (text: string) => string): void {
  rewrite(mutated, path, async (request) => {
    if (request.method !== 'POST') return request;
    return new Request(request, { method: 'POST', body: edit(await request.text()) });
  });
}

/** Lets the URLs of certain reads go out changed. */
export function rewriteUrl(mutated: Mutated, path: RegExp, edit: (url: URL) => void): void {
  rewrite(mutated, path, async (request) => {
    const url = new URL(request.url);
    edit(url);
    return new Request(url, request);
  });
}

/** Lets every wish go out changed. */
export function rewriteWishes(mutated: Mutated, edit: (wish: Wish, at: number) => Wish): void {
  const { bookings } = mutated.partner;
  const send = bookings.send.bind(bookings);
  bookings.send = (way, wishes) => send(way, wishes.map(edit));
}

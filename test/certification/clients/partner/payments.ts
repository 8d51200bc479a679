import { ServiceFailure } from './failure.js';
import type { Booked } from './bookings.js';
import type { Enveloped, Transport } from './transport.js';

/** Confirms payments. v5 is paused there, so nothing is confirmed with it (section "Confirm booking payment"). */
export class Payments {
  /** The API specification lists GET and its samples use POST: the paths that take only GET. */
  readonly takesGet = new Set<string>();
  readonly paid = new Set<string>();

  constructor(readonly transport: Transport) {}

  /** Pays for what was booked together: by its group if it has one that this deployment knows, or else one by one. */
  async pay({ bookingIds, group }: Booked, version: 'v1' | 'v3' | 'v4' = 'v4'): Promise<void> {
    const unpaid = bookingIds.filter((id) => !this.paid.has(id));
    if (unpaid.length === 0) return;
    if (!(group && (await this.payGroup(group)))) for (const id of unpaid) await this.payOne(id, version);
    for (const id of unpaid) this.paid.add(id);
  }

  /** False if the deployment does not know the group. */
  async payGroup({ id, version }: NonNullable<Booked['group']>): Promise<boolean> {
    const path = `/api/${version}/bulkbookings/payment/{bulkBookingId}` as const;
    const options = { params: { path: { bulkBookingId: id } } };
    const { call } = this.transport;
    try {
      await this.confirm(path, (isGet) => (isGet ? call.GET(path, options) : call.POST(path, options)));
      return true;
    } catch (error) {
      if (error instanceof ServiceFailure && error.kind === 'refused') return false;
      throw error;
    }
  }

  async payOne(serviceBookingId: string, version: 'v1' | 'v3' | 'v4'): Promise<void> {
    const path = `/api/${version}/bookings/payment/{serviceBookingId}` as const;
    const options = { params: { path: { serviceBookingId } } };
    const { call } = this.transport;
    await this.confirm(path, (isGet) => (isGet ? call.GET(path, options) : call.POST(path, options)));
  }

  /** Confirms, and once more if nobody answered: the second confirmation of a payment confirms the same payment. */
  async confirm(path: string, send: (isGet: boolean) => Promise<Enveloped<unknown>>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const isGet = this.takesGet.has(path);
      try {
        await this.transport.data(send(isGet));
        return;
      } catch (error) {
        if (!(error instanceof ServiceFailure)) throw error;
        if (attempt > 1 && /confirmed before|already/i.test(error.message)) return;
        if (error.status === 405 && !isGet) this.takesGet.add(path);
        else if (!error.isUncertain || attempt > 3) throw error;
        else await this.transport.host.sleep(error.retryAfter ?? 1000 * 2 ** attempt);
      }
    }
  }
}

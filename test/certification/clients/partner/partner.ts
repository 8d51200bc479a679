import { Bookings } from './bookings.js';
import { Catalogue } from './catalogue.js';
import { type Agreement, type PartnerAccess, type PartnerHost, usualAgreement } from './host.js';
import { Payments } from './payments.js';
import { Search } from './search.js';
import { TeeSheets } from './tee-sheets.js';
import { Transport } from './transport.js';

/** The client of a partner: everything that its shop does at the service. */
export class Partner {
  readonly transport: Transport;
  readonly catalogue: Catalogue;
  readonly sheets: TeeSheets;
  readonly search: Search;
  readonly bookings: Bookings;
  readonly payments: Payments;

  constructor(
    readonly host: PartnerHost,
    access: PartnerAccess,
    agreement: Partial<Agreement> = {},
  ) {
    this.transport = new Transport(host, access, { ...usualAgreement, ...agreement });
    this.catalogue = new Catalogue(this.transport);
    this.sheets = new TeeSheets(this.transport);
    this.search = new Search(this.transport, this.sheets);
    this.bookings = new Bookings(this.transport);
    this.payments = new Payments(this.transport);
  }
}

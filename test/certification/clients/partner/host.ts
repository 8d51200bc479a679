/** What the client takes from the program that runs it, so that tests can give it another network and another time. */
export interface PartnerHost {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after milliseconds, or as soon as the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** A signal that aborts after milliseconds, unless it is called off. */
  deadline(milliseconds: number): { readonly signal: AbortSignal; off(): void };
  /** A new UUID. */
  newId(): string;
}

/** What the onboarding gave us. */
export interface PartnerAccess {
  readonly baseUrl: string;
  /** The initial token, or the newest one of the last run. */
  readonly refreshToken: string;
  readonly username?: string;
  readonly password?: string;
  /** The address of our receiver, without query. */
  readonly receiver: string;
}

/** Versions of the service. */
export type Version = `v${number}`;

/**
 * What the API specification leaves open and we asked the operator. The defaults follow the field lists of the API
 * specification.
 */
export interface Agreement {
  readonly bearerHeader: string;
  /** Versions that know only the old credentials. */
  readonly basicVersions: readonly Version[];
  readonly tokenVersion: Version;
  readonly contact: 'fields' | 'single';
  readonly mostPriceDays: number;
  readonly mostSearchDays: number;
  readonly pageSize: number;
}

export const usualAgreement: Agreement = {
  bearerHeader: 'Authorization',
  basicVersions: [],
  tokenVersion: 'v5',
  contact: 'fields',
  mostPriceDays: 7,
  mostSearchDays: 100,
  pageSize: 20,
};

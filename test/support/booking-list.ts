import type { Client, Reply } from './client.js';
import { type Json, queryText } from './scenes.js';

/** The versions that list bookings. */
export const LISTING = ['v1', 'v2', 'v4'] as const;
export type ListingVersion = (typeof LISTING)[number];

/** Days in the form of queries. */
export interface Range {
  readonly fromDate?: string;
  readonly toDate?: string;
}

/** A day before every booking of the tests. */
export const LONG_AGO = '01-01-2020';

export function listReply(client: Client, version: ListingVersion, range: Range = {}): Promise<Reply> {
  const query = queryText({ ...range });
  return client.get(`/api/${version}/bookings${query && `?${query}`}`);
}

export async function listOf(client: Client, version: ListingVersion, range: Range = {}): Promise<Json[]> {
  return (await listReply(client, version, range)).body.data;
}

/** The identifiers of a list, in no order. */
export async function listedIds(client: Client, version: ListingVersion, range: Range = {}): Promise<string[]> {
  return idsOf(await listOf(client, version, range));
}

export function idsOf(bookings: readonly { readonly bookingId: string }[]): string[] {
  return bookings.map(({ bookingId }) => bookingId).sort();
}

import type { OperationCall } from '../request.js';
import { Inconclusive } from '../outcome.js';
import type { Session } from '../session.js';
import { facility, place } from './places.js';
import { courseQuery, paramsOf, teeSheet } from './tee-sheets.js';

/** A call that reads and is right. */
export type ReadCall = Required<Pick<OperationCall, 'operation' | 'params'>>;

const sources: readonly ((session: Session) => Promise<readonly ReadCall[]>)[] = [
  async () => [
    { operation: 'v2.listCountries', params: {} },
    { operation: 'v3.listCountries', params: {} },
  ],
  async (session) => {
    const { country } = await place(session);
    const params = { country, connected: true };
    return (['v1', 'v2', 'v3'] as const).map((version) => ({ operation: `${version}.listFacilities`, params }));
  },
  async (session) => {
    const params = { facilityId: (await facility(session)).id };
    const operations = ['v1.findFacility', 'v2.findFacility', 'v3.findFacility'] as const;
    return [...operations, 'v2.facilityDetails' as const, 'v3.facilityDetails' as const].map((operation) => ({
      operation,
      params,
    }));
  },
  async (session) => {
    const params = { fromDate: session.longAgo.query };
    return (['v1', 'v2', 'v4'] as const).map((version) => ({ operation: `${version}.listBookings`, params }));
  },
  async (session) => {
    const { facilityId, day, holes } = await teeSheet(session);
    const params = paramsOf({ facilityId, day, holes });
    const prices = { facilityIds: String(facilityId), fromDate: day.query, toDate: day.query };
    const sheets = (['v2', 'v3', 'v4'] as const).map((version): ReadCall => ({
      operation: `${version}.listTeeTimes`,
      params,
    }));
    return [...sheets, { operation: 'v5.listPrices', params: prices }];
  },
  async (session) => [{ operation: 'v5.listTeeTimes', params: paramsOf(await courseQuery(session)) }],
];

/** A right call of every operation that reads, as far as the deployment has data for it. */
export function readCalls(session: Session): Promise<readonly ReadCall[]> {
  return session.once('read calls', async (session) => {
    const calls: ReadCall[] = [];
    for (const source of sources) {
      try {
        calls.push(...(await source(session)));
      } catch (error) {
        if (!(error instanceof Inconclusive)) throw error;
      }
    }
    return calls;
  });
}

/** The version that a call is of. */
export function versionOf({ operation }: ReadCall): string {
  return operation.split('.')[0]!;
}

/** One call of each version: of an operation without parameters where there is one. */
export async function callPerVersion(session: Session): Promise<readonly ReadCall[]> {
  const first = new Map<string, ReadCall>();
  for (const call of await readCalls(session)) if (!first.has(versionOf(call))) first.set(versionOf(call), call);
  return [...first.values()];
}

/** One call of each version, the newest first: the likeliest to take a token. */
export async function newestFirst(session: Session): Promise<readonly ReadCall[]> {
  return [...(await callPerVersion(session))].sort((a, b) => (versionOf(a) < versionOf(b) ? 1 : -1));
}

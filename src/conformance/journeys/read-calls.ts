import { type OperationName, operations, type Version } from '../../contract/index.js';
import { Inconclusive } from '../client/outcome.js';
import { operationIn, type VersionOf, versionsOf } from '../client/operations.js';
import type { OperationCall, Param } from '../client/request.js';
import { resource } from '../client/resource.js';
import type { Session } from '../client/session.js';
import { connectedCountry, facility } from './connected-facilities.js';
import { paramsOf, sheetQuery, teeSheet } from './tee-sheets.js';
import { priceParamsOf } from './pool/reads.js';

/** A valid call that reads. */
export type ReadCall = Required<Pick<OperationCall, 'operation' | 'params'>>;

type ReadParams<N extends OperationName> = (
  session: Session,
  version: VersionOf<N>,
) => Promise<Readonly<Record<string, Param>>>;

/** Operations that read when they are called by GET. A search posts its result elsewhere, and a payment writes. */
export type ReadName = Exclude<
  Extract<(typeof operations)[number], { readonly method: 'GET' }>['name'],
  'searchTeeTimes' | 'confirmPayment' | 'confirmBulkPayment'
>;

const ofFacility = async (session: Session) => ({ facilityId: (await facility(session)).id });

/**
 * The parameters of a valid call of each operation that reads. The order matters: the first call of a version stands for
 * the version.
 *
 * @throws {Inconclusive} when the deployment has no data for it.
 */
const readParams: { readonly [N in ReadName]: ReadParams<N> } = {
  listCountries: async () => ({}),
  listFacilities: async (session) => ({ country: (await connectedCountry(session)).country, connected: true }),
  findFacility: ofFacility,
  facilityDetails: ofFacility,
  listBookings: async (session) => ({ fromDate: session.longAgo.query }),
  listPrices: async (session) => {
    const { facilityId, day } = await teeSheet(session);
    return priceParamsOf({ facilityIds: [facilityId], from: day });
  },
  listTeeTimes: async (session, version) => paramsOf(await sheetQuery(session, version)),
};

/** A valid call of an operation that reads, in a version that has it. */
export async function readCall(session: Session, name: ReadName, version: Version): Promise<ReadCall> {
  const params = await readParams[name](session, version as never);
  return { operation: operationIn(name, version as never), params };
}

/** A valid call of every operation that reads, if the deployment has data for it. */
export const readCalls = resource('read calls', async (session): Promise<readonly ReadCall[]> => {
  const calls: ReadCall[] = [];
  for (const name of Object.keys(readParams) as ReadName[]) {
    for (const version of versionsOf(name)) {
      if (!session.run.transport.scope.has(operationIn(name, version))) continue;
      try {
        calls.push(await readCall(session, name, version));
      } catch (error) {
        if (!(error instanceof Inconclusive)) throw error;
      }
    }
  }
  return calls;
});

export function versionOf({ operation }: ReadCall): Exclude<Version, '*'> {
  return operation.split('.')[0] as Exclude<Version, '*'>;
}

/** One call of each version, preferably without parameters. */
export async function callPerVersion(session: Session): Promise<readonly ReadCall[]> {
  const first = new Map<string, ReadCall>();
  for (const call of await readCalls(session)) if (!first.has(versionOf(call))) first.set(versionOf(call), call);
  return [...first.values()];
}

/** One call of each version, the newest first, since it is the most likely to accept a token. */
export async function newestFirst(session: Session): Promise<readonly ReadCall[]> {
  return [...(await callPerVersion(session))].sort((a, b) => (versionOf(a) < versionOf(b) ? 1 : -1));
}

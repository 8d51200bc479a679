declare const TEEBOX_HOMEPAGE: string;

/** The page of the documentation about each page of the console; test/e2e/docs/site holds that it is there. */
export const guides: Readonly<Record<string, string>> = {
  start: '',
  'tee-sheet': 'facilities',
  bookings: 'state-and-worlds',
  scenarios: 'failures',
  requests: 'failures',
  callbacks: 'admin-api',
  clock: 'admin-api',
  dialect: 'dialects',
  state: 'state-and-worlds',
  reference: 'operations',
  conformance: 'conformance',
  certification: 'certify',
};

/** The address of a page of the documentation. The build puts in where the documentation is. */
export function guideAt(page: string): string {
  return `${TEEBOX_HOMEPAGE}${page}`;
}

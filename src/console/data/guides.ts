import { hrefOf } from './route.js';

/** The page of the documentation about each page of the console; a test holds that it is there. */
export const guides: Readonly<Record<string, string>> = {
  start: 'quick-starts/curl',
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

/** The address of a page of the documentation, and of a heading in it: `failures#scenarios`. */
export function guideAt(page: string): string {
  return hrefOf(['docs', ...page.split('#')]);
}

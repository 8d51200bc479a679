/** The addresses of every page of the console: each is checked by axe in both colour schemes. */
export const pages: readonly string[] = [
  '#/start',
  '#/tee-sheet/1010?date=2030-06-11&course=10103',
  '#/bookings',
  '#/tee-sheet/found?goodFor=fails-on-purpose&date=2030-06-11',
  '#/requests',
  '#/requests/req-6',
  '#/callbacks/callback-1',
  '#/callbacks/inbox/tests',
  '#/clock',
  '#/dialect',
  '#/dialect/payment.method',
  '#/state',
  '#/scenarios',
  '#/scenarios/server-error',
  '#/scenarios?view=chaos',
  '#/scenarios?view=rivals',
];

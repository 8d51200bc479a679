import { expectTypeOf, test } from 'vitest';
import type { Payload, Route, Schemas } from '../../../../src/engine/api/routes/call.js';
import type { RangeParams } from '../../../../src/engine/api/routes/list-bookings.js';
import type { Handlers } from '../../../../src/engine/api/versions/handlers.js';
import { v2 } from '../../../../src/engine/api/versions/v2.js';
import { v4 } from '../../../../src/engine/api/versions/v4.js';

/** The booking list of v4, had the contract one more field, or one of its fields by another name. */
type Extended = Schemas['BookingV4'] & { readonly added: string };
type Renamed = Omit<Schemas['BookingV4'], 'course'> & { readonly courseName: string };

// The compiler holds these, when the types are checked; no line of them runs.
test('a route that does not write what the contract describes is a compile error', () => {
  expectTypeOf<Payload<'v4.listBookings'>>().toEqualTypeOf<Schemas['BookingV4'][]>();
  expectTypeOf(v4.listBookings).toExtend<Route<RangeParams, Schemas['BookingV4'][]>>();
  expectTypeOf(v4.listBookings).not.toExtend<Route<RangeParams, Extended[]>>();
  expectTypeOf(v4.listBookings).not.toExtend<Route<RangeParams, Renamed[]>>();
  expectTypeOf({ ...v4, listBookings: v2.listBookings }).not.toExtend<Handlers<'v4'>>();
  expectTypeOf({ ...v4, listTeeTimes: v2.listTeeTimes }).not.toExtend<Handlers<'v4'>>();
  expectTypeOf<Omit<typeof v4, 'listBookings'>>().not.toExtend<Handlers<'v4'>>();
});

import { expect, test } from 'vitest';
import { sunrise } from '../../src/console/pages/tee-sheet/sun.js';

// By the longer equations of the NOAA solar calculator.
test.each([
  ['Greenwich', 51.48, 0, '2026-03-20', '06:02'],
  ['Greenwich', 51.48, 0, '2026-06-21', '03:42'],
  ['Greenwich', 51.48, 0, '2026-12-21', '08:03'],
  ['Singapore', 1.35, 103.82, '2026-06-21', '23:00'],
  ['Sydney', -33.87, 151.21, '2026-12-21', '18:40'],
  ['Scottsdale', 33.49, -111.92, '2026-11-01', '13:46'],
])('%s, %d and %d: the sun rises on %s at %s UTC', (_place, latitude, longitude, date, utc) => {
  const rise = new Date(sunrise(latitude, longitude, date)!).toISOString().slice(11, 16);
  const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  expect(Math.abs(minutes(rise) - minutes(utc)), `${rise} instead of ${utc}`).toBeLessThanOrEqual(2);
});

test('it does not in a polar night, nor in a polar day', () => {
  expect(sunrise(69.65, 18.96, '2026-12-21')).toBeUndefined();
  expect(sunrise(69.65, 18.96, '2026-06-21')).toBeUndefined();
});

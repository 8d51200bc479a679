import type { Json } from '../scenes.js';

/** What a field may hold, as the specification's tables put it, and values that it may not hold. */
export interface Kind {
  readonly holds: (value: Json) => boolean;
  readonly wrong: readonly unknown[];
}

const isInteger = (value: Json): boolean => Number.isInteger(value);
const isString = (value: Json): boolean => typeof value === 'string';
const isObject = (value: Json): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const filled = (value: Json): boolean => isString(value) && value.trim() !== '';
const matching = (pattern: RegExp) => (value: Json) => isString(value) && pattern.test(value);

const NO_INTEGER = ['1', 1.5, null, true];
const NO_STRING = [1, null, true, ['a']];

function isMoney(value: Json): boolean {
  return isObject(value) && Object.keys(value).sort().join() === 'amount,currency' && Number.isFinite(value.amount);
}

function isTimeZone(value: Json): boolean {
  return isString(value) && Intl.supportedValuesOf('timeZone').includes(value);
}

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

export const kinds = {
  integer: { holds: isInteger, wrong: NO_INTEGER },
  number: { holds: Number.isFinite, wrong: ['1', null, true] },
  latitude: { holds: (value) => Math.abs(value) <= 90 && Number.isFinite(value), wrong: ['52.1', null, 91] },
  longitude: { holds: (value) => Math.abs(value) <= 180 && Number.isFinite(value), wrong: ['4.4', null, 181] },
  boolean: { holds: (value) => typeof value === 'boolean', wrong: ['true', 1, null] },
  text: { holds: isString, wrong: NO_STRING },
  filled: { holds: filled, wrong: NO_STRING },
  year: { holds: (value) => isInteger(value) && value > 1400 && value < 2027, wrong: NO_INTEGER },
  holes: { holds: (value) => value === 9 || value === 18, wrong: [...NO_INTEGER, 12, 0] },
  free: { holds: (value) => isInteger(value) && value >= 0 && value <= 4, wrong: [...NO_INTEGER, 5, -1] },
  quantity: { holds: (value) => isInteger(value) && value >= 1 && value <= 4, wrong: [...NO_INTEGER, 0, 5] },
  quantityText: { holds: matching(/^[1-4]$/), wrong: [...NO_STRING, 2] },
  money: { holds: isMoney, wrong: [12.5, '12.50', null, { amount: 12.5 }, { amount: '12.50', currency: 'EUR' }] },
  currency: { holds: matching(/^[A-Z]{3}$/), wrong: [...NO_STRING, 'euro'] },
  language: { holds: matching(/^[a-z]{2}$/), wrong: [...NO_STRING] },
  timeZone: { holds: isTimeZone, wrong: NO_STRING },
  dateTime: {
    holds: matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
    wrong: [...NO_STRING, '2026-06-11 10:00:00', '11-06-2026', '2026-06-11', '2026-06-11T10:00:00Z'],
  },
  moment: {
    holds: matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
    wrong: [...NO_STRING, '2026-06-11T10:00:00', '11-06-2026'],
  },
  date: { holds: matching(/^\d{4}-\d\d-\d\d$/), wrong: [...NO_STRING, '11-06-2026', '2026-06-11T10:00:00'] },
  weekday: { holds: (value) => DAYS.includes(value), wrong: [...NO_STRING, 'Monday', 'mon'] },
  url: { holds: (value) => isString(value) && URL.canParse(value), wrong: NO_STRING },
  urls: {
    holds: (value) => Array.isArray(value) && value.every((one) => isString(one) && URL.canParse(one)),
    wrong: [null, 'https://a.example/1.svg', [1]],
  },
  object: { holds: isObject, wrong: [null, 'x', [], 1] },
  array: { holds: Array.isArray, wrong: [null, {}, 'x'] },
  alwaysNull: { holds: (value) => value === null, wrong: ['any', {}] },
  alwaysEmpty: { holds: (value) => Array.isArray(value) && value.length === 0, wrong: [null, 'any', {}] },
} satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;

import type { Guest } from './wishes.js';

/** The customers of the day. */
export const guests: readonly Guest[] = (
  [
    ['Zoë', 'Ångström', 'zoe'],
    ['José', 'Muñoz', 'jose'],
    ['Łukasz', 'Żółć', 'lukasz'],
    ['Grace', 'Hopper', 'grace'],
    ['Søren', 'Þórsson', 'soren'],
    ['美咲', '佐藤', 'misaki'],
  ] as const
).map(([firstName, lastName, name]) => {
  return { firstName, lastName, phone: '+31 20 555 0100', email: `${name}@partner.example` };
});

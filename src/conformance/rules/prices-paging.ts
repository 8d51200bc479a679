import { bounds, keyOf, pages, type Pages, usualOffset } from '../journeys/price-lists.js';
import { steady } from '../journeys/steady.js';
import { Inconclusive } from '../outcome.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';

/** So many records a page: enough to see an order, few enough for any maximum. */
const PAGE = 4;
/** With fewer records than this a bound that is there may not show. */
const MANY = 100;

const tooFew = (): Inconclusive => new Inconclusive('no-data', `${MANY} price records within a week`);

async function tellMaximum({ session, observe }: RuleContext): Promise<void> {
  const { most, total, maximum } = await bounds(session);
  if (maximum !== undefined || most.length < total) {
    observe('prices.max-limit', maximum ?? most.length);
    observe('prices.over-max-limit', maximum === undefined ? 'clamped' : 'refused');
  } else if (total >= MANY) {
    observe('prices.max-limit', 0);
  } else throw tooFew();
}

/** A rule of how the pages of the list follow each other; meanwhile a record may come or go. */
const paging = (id: RuleSpec['id'], compare: (pages: Pages, expect: RuleContext['expect']) => void): RuleSpec =>
  defineRule({
    id,
    run: ({ session, expect }) => steady(session, async (session) => compare(await pages(session, PAGE), expect)),
  });

/** Rules of paging the price list. */
export const pagingRules: readonly RuleSpec[] = [
  defineRule({
    id: 'prices.limit-bounds',
    async run({ session, expect }) {
      const { whole, bounded, first, second, limit } = await pages(session, PAGE);
      const what = 'A price request is answered with more records than its `limit`.';
      for (const [page, most] of [
        [bounded ? whole : [], 2 * limit],
        [first, limit],
        [second, limit],
      ] as const) {
        if (page.length > 0) expect.that(page.length <= most, what, { expected: most, actual: page.length });
      }
    },
  }),
  paging('prices.offset-skips', ({ whole, first, second }, expect) => {
    const behind = whole.slice(first.length).map(keyOf);
    const page = second.slice(0, behind.length).map(keyOf);
    const what = `With \`offset=${first.length}\` the list does not begin behind its first ${first.length} records.`;
    if (behind.length > 0 && first.length > 0) expect.equal(page, behind.slice(0, Math.max(1, page.length)), what);
  }),
  paging('prices.pages-concatenate', ({ whole, first, second, limit }, expect) => {
    const both = [...first, ...second].map(keyOf);
    const most = whole.map(keyOf);
    // A page that is shorter than asked for may be one that a maximum cuts.
    const full = first.length === limit && whole.length > first.length;
    const seen = full ? most : most.slice(0, both.length);
    const what = 'Two pages of the price list, laid end to end, are not the list.';
    if (first.length > 0 && seen.length > first.length) expect.equal(both.slice(0, most.length), seen, what);
  }),
  defineRule({
    id: 'prices.default-offset',
    async run({ session, observe }) {
      const at = await usualOffset(session);
      if (at >= 0) observe('prices.default-offset', at);
    },
  }),
  defineRule({
    id: 'prices.default-limit',
    async run({ session, observe }) {
      const { usual, most, total } = await bounds(session);
      const [first] = usual;
      if (!first) return;
      const at = Math.max(0, most.map(keyOf).indexOf(keyOf(first)));
      if (at + usual.length >= total) {
        if (total < MANY) throw tooFew();
        observe('prices.default-limit', 0);
        // Where a maximum cuts as short, there is no telling which of the two it was.
      } else if (most.length !== usual.length) observe('prices.default-limit', usual.length);
    },
  }),
  defineRule({ id: 'prices.max-limit', run: tellMaximum }),
];

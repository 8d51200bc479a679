import { describeFields } from '../../../support/contract/fields.js';

/** Everything that shows the `teeTimeV3` element. */
const detailed = {
  'v4.listTeeTimes': 'data.teeTimeV3.*',
  'v5.listTeeTimes': 'data.teeTimeV3.*',
  callback: 'data.*.teeTimeV3.*',
};
const v3 = { 'v3.listTeeTimes': 'data.teeTimeV2.*' };
const v2 = { 'v2.listTeeTimes': 'data.*' };
const within = (places: Record<string, string>, field: string) =>
  Object.fromEntries(Object.entries(places).map(([of, path]) => [of, `${path}.${field}`]));
const products = within(detailed, 'products.*');
const steps = within(products, 'pricing.*');
const byPlayers = within({ ...v3, ...v2 }, 'pricing.*');
const extras = within({ ...detailed, ...v3 }, 'extraProducts.*');
const policies = Object.fromEntries(
  (['v3', 'v4', 'v5'] as const).map((version) => [`${version}.listTeeTimes`, 'data.facilityCancellationPolicyRange.*']),
);

const prices = ['price', 'netRate', 'publicRate'];
const moneyIn = (places: Record<string, string>, fields = prices) =>
  Object.fromEntries(Object.entries(places).map(([of, path]) => [of, fields.map((field) => `${path}.${field}`)]));

describeFields('money of an extra product', moneyIn(extras), [
  ['teetimes.money.amount', 'amount', 'number'],
  ['teetimes.money.currency', 'currency', 'currency'],
]);

describeFields('money of a price step', moneyIn(steps), [
  ['teetimes.money.amount', 'amount', 'number'],
  ['teetimes.money.currency', 'currency', 'currency'],
]);

describeFields('money of a price by number of players', moneyIn(byPlayers, ['price']), [
  ['teetimes.money.amount', 'amount', 'number'],
  ['teetimes.money.currency', 'currency', 'currency'],
]);

describeFields('a tee time of v4, v5 and the callback', detailed, [
  ['teetimes.item.teeid', 'teeid', 'integer'],
  ['teetimes.item.time', 'time', 'dateTime'],
  ['teetimes.item.course', 'course', 'filled'],
  ['teetimes.item.holes', 'holes', 'holes'],
  ['teetimes.item.extraProducts', 'extraProducts', 'array'],
  ['teetimes.item.products', 'products', 'array'],
]);

describeFields('an extra product on offer', extras, [
  ['teetimes.extra-product.mid', 'mid', 'integer'],
  ['teetimes.extra-product.name', 'name', 'filled'],
  ['teetimes.extra-product.category', 'category', 'filled'],
  ['teetimes.extra-product.price', 'price', 'money'],
  ['teetimes.extra-product.netRate', 'netRate', 'money'],
  ['teetimes.extra-product.publicRate', 'publicRate', 'money'],
]);

describeFields('a product', products, [
  ['teetimes.product.mid', 'mid', 'integer'],
  ['teetimes.product.name', 'name', 'filled'],
  ['teetimes.product.category', 'category', 'filled'],
  ['teetimes.product.available', 'available', 'free'],
  ['teetimes.product.pricing', 'pricing', 'array'],
  ['teetimes.product.players', 'players', 'alwaysNull'],
  ['teetimes.product.linkedProducts', 'linkedProducts', 'alwaysEmpty'],
]);

describeFields('a price step', steps, [
  ['teetimes.price-step.quantity', 'quantity', 'quantity'],
  ['teetimes.price-step.price', 'price', 'money'],
  ['teetimes.price-step.netRate', 'netRate', 'money'],
  ['teetimes.price-step.publicRate', 'publicRate', 'money'],
]);

describeFields('a tee time of v3', v3, [
  ['teetimes.item-v3.id', 'id', 'integer'],
  ['teetimes.item-v3.time', 'time', 'dateTime'],
  ['teetimes.item-v3.course', 'course', 'filled'],
  ['teetimes.item-v3.holes', 'holes', 'holes'],
  ['teetimes.item-v3.players', 'players', 'free'],
  ['teetimes.item-v3.extraProducts', 'extraProducts', 'array'],
  ['teetimes.item-v3.pricing', 'pricing', 'array'],
]);

describeFields('a tee time of v2', v2, [
  ['teetimes.item-v2.id', 'id', 'integer'],
  ['teetimes.item-v2.time', 'time', 'dateTime'],
  ['teetimes.item-v2.round', 'round', 'filled'],
  ['teetimes.item-v2.holes', 'holes', 'holes'],
  ['teetimes.item-v2.players', 'players', 'free'],
  ['teetimes.item-v2.pricing', 'pricing', 'array'],
]);

describeFields('a price by number of players', byPlayers, [
  ['teetimes.player-price.players', 'players', 'quantityText'],
  ['teetimes.player-price.price', 'price', 'money'],
]);

describeFields('a cancellation range', policies, [
  ['teetimes.cancellation.minimumPlayer', 'minimumPlayer', 'integer'],
  ['teetimes.cancellation.maximumPlayer', 'maximumPlayer', 'integer'],
  ['teetimes.cancellation.timePeriod', 'timePeriod', 'integer'],
]);

describeFields('a price page', { 'v5.listPrices': 'data' }, [
  ['prices.page.records', 'records', 'array'],
  ['prices.page.total', 'total', 'integer'],
]);

describeFields('a price record', { 'v5.listPrices': 'data.records.*' }, [
  ['prices.item.facilityId', 'facilityId', 'integer'],
  ['prices.item.facilityName', 'facilityName', 'filled'],
  ['prices.item.courseId', 'courseId', 'integer'],
  ['prices.item.courseName', 'courseName', 'filled'],
  ['prices.item.countryName', 'countryName', 'filled'],
  ['prices.item.date', 'date', 'date'],
  ['prices.item.dayOfWeek', 'dayOfWeek', 'weekday'],
  ['prices.item.productId', 'productId', 'integer'],
  ['prices.item.productName', 'productName', 'filled'],
  ['prices.item.price', 'price', 'number'],
  ['prices.item.currency', 'currency', 'currency'],
  ['prices.item.availability', 'availability', 'array'],
]);

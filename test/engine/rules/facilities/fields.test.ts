import { describeFields } from '../../../support/contract/fields.js';

const lists = {
  'v1.listFacilities': 'data.*',
  'v2.listFacilities': 'data.*',
  'v3.listFacilities': 'data.*',
  'v1.findFacility': 'data',
  'v2.findFacility': 'data',
};
const details = { 'v2.facilityDetails': 'data', 'v3.facilityDetails': 'data' };
const record = { 'v3.findFacility': 'data.0' };
const terms = { 'v3.findFacility': 'data.1' };
const within = (places: Record<string, string>, field: string) =>
  Object.fromEntries(Object.entries(places).map(([of, path]) => [of, `${path}.${field}`]));

describeFields('a facility in a list, and by id in v1 and v2', lists, [
  ['facilities.item.id', 'id', 'integer'],
  ['facilities.item.name', 'name', 'filled'],
  ['facilities.item.website', 'website', 'text'],
  ['facilities.item.email', 'email', 'text'],
  ['facilities.item.address', 'address', 'object'],
]);

describeFields(
  'an address',
  { ...within(lists, 'address'), ...within(details, 'address'), ...within(record, 'address') },
  [
    ['facilities.address.address1', 'address1', 'text'],
    ['facilities.address.number', 'number', 'text'],
    ['facilities.address.addition', 'addition', 'text'],
    ['facilities.address.zipcode', 'zipcode', 'text'],
    ['facilities.address.place', 'place', 'filled'],
    ['facilities.address.state', 'state', 'text'],
    ['facilities.address.country', 'country', 'filled'],
  ],
);

describeFields('an address of a list or of v1 and v2', within(lists, 'address'), [
  ['facilities.address.address2', 'address2', 'text'],
]);

describeFields('an address by id in v3', within(record, 'address'), [
  ['facilities.address.mid', 'mid', 'integer'],
  ['facilities.address.latitude', 'latitude', 'latitude'],
  ['facilities.address.longitude', 'longitude', 'longitude'],
  ['facilities.address.region', 'region', 'text'],
]);

describeFields('the first object by id in v3', record, [
  ['facilities.record.id', 'id', 'integer'],
  ['facilities.record.name', 'name', 'filled'],
  ['facilities.record.website', 'website', 'text'],
  ['facilities.record.email', 'email', 'text'],
  ['facilities.record.timeZone', 'timeZone', 'timeZone'],
  ['facilities.record.address', 'address', 'object'],
  ['facilities.record.language', 'language', 'language'],
  ['facilities.record.currencyCode', 'currencyCode', 'currency'],
  ['facilities.record.created', 'created', 'moment'],
]);

describeFields('the second object by id in v3', terms, [
  ['facilities.terms.paymentRule', 'paymentRule', 'object'],
  ['facilities.terms.applicableForWhitelable', 'applicableForWhitelable', 'boolean'],
]);

describeFields('a payment rule', within(terms, 'paymentRule'), [
  ['facilities.payment-rule.mid', 'mid', 'integer'],
  ['facilities.payment-rule.name', 'name', 'filled'],
  ['facilities.payment-rule.description', 'description', 'text'],
  ['facilities.payment-rule.firstPaymentCondition', 'firstPaymentCondition', 'filled'],
  ['facilities.payment-rule.lastPaymentCondition', 'lastPaymentCondition', 'filled'],
  ['facilities.payment-rule.firstPaymentConditionDuration', 'firstPaymentConditionDuration', 'integer'],
  ['facilities.payment-rule.lastPaymentConditionDuration', 'lastPaymentConditionDuration', 'integer'],
  ['facilities.payment-rule.firstPaymentConditionPercentage', 'firstPaymentConditionPercentage', 'integer'],
  ['facilities.payment-rule.lastPaymentConditionPercentage', 'lastPaymentConditionPercentage', 'integer'],
]);

describeFields('verbose facility details', details, [
  ['facilities.details.id', 'id', 'integer'],
  ['facilities.details.name', 'name', 'filled'],
  ['facilities.details.latitude', 'latitude', 'latitude'],
  ['facilities.details.longitude', 'longitude', 'longitude'],
  ['facilities.details.address', 'address', 'object'],
  ['facilities.details.phoneNumber', 'phoneNumber', 'text'],
  ['facilities.details.email', 'email', 'text'],
  ['facilities.details.website', 'website', 'text'],
  ['facilities.details.foundedIn', 'foundedIn', 'year'],
  ['facilities.details.description', 'description', 'text'],
  ['facilities.details.services', 'services', 'object'],
  ['facilities.details.logo', 'logo', 'url'],
  ['facilities.details.images', 'images', 'urls'],
]);

describeFields('verbose facility details of v3', { 'v3.facilityDetails': 'data' }, [
  ['facilities.details.reservationsContact', 'reservationsContact', 'object'],
]);

describeFields('a reservations contact', { 'v3.facilityDetails': 'data.reservationsContact' }, [
  ['facilities.reservations-contact.name', 'name', 'text'],
  ['facilities.reservations-contact.email', 'email', 'text'],
  ['facilities.reservations-contact.phoneNumber', 'phoneNumber', 'text'],
]);

describeFields('the services of a facility', within(details, 'services'), [
  ['facilities.services.mid', 'mid', 'integer'],
  ['facilities.services.drivingRange', 'drivingRange', 'boolean'],
  ['facilities.services.chippingArea', 'chippingArea', 'boolean'],
  ['facilities.services.puttingGreen', 'puttingGreen', 'boolean'],
  ['facilities.services.proShop', 'proShop', 'boolean'],
  ['facilities.services.golfSchool', 'golfSchool', 'boolean'],
  ['facilities.services.golfBuggy', 'golfBuggy', 'boolean'],
  ['facilities.services.pushTrolley', 'pushTrolley', 'boolean'],
  ['facilities.services.electricTrolley', 'electricTrolley', 'boolean'],
  ['facilities.services.golfClubRentals', 'golfClubRentals', 'boolean'],
  ['facilities.services.caddies', 'caddies', 'boolean'],
  ['facilities.services.restaurant', 'restaurant', 'boolean'],
  ['facilities.services.bar', 'bar', 'boolean'],
  ['facilities.services.lockerRoom', 'lockerRoom', 'boolean'],
  ['facilities.services.wifi', 'wifi', 'boolean'],
  ['facilities.services.shuttleService', 'shuttleService', 'boolean'],
]);

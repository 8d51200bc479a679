import type { Exam } from '../exam.js';
import { foreignNames, otherJson, someEmptyLists, unknownFields } from './disguises.js';

/** What another deployment may do, and the document allows. */
export const variationExams: readonly Exam[] = [
  {
    id: 'unknown-fields',
    title: 'Answers have more fields',
    does: 'Each object of an answer or a search result has a field that the document does not know.',
    shows: ['robust.unknown-fields'],
    blames: 'robust.unknown-fields',
    disguise: unknownFields,
  },
  {
    id: 'null-optionals',
    title: 'Optional fields are null',
    does: 'Fields without a value are null: the empty texts of facilities and bookings.',
    shows: ['robust.null-optionals'],
    blames: 'robust.null-optionals',
    answers: { 'facility.empty-fields': 'null', 'booking-list.empty-fields': 'null' },
  },
  {
    id: 'absent-optionals',
    title: 'Optional fields are absent',
    does: 'Fields without a value are left out, and so are empty availabilities of prices.',
    shows: ['robust.null-optionals'],
    answers: {
      'facility.empty-fields': 'absent',
      'booking-list.empty-fields': 'absent',
      'prices.availability': 'absent-when-empty',
    },
  },
  {
    id: 'filled-optionals',
    title: 'Fields that are null in the document have values',
    does: 'Products name the most players and their linked products.',
    shows: ['robust.unknown-fields'],
    answers: { 'teetimes.product-players': 'maximum', 'teetimes.linked-products': 'objects' },
  },
  {
    id: 'empty-lists',
    title: 'Lists are empty',
    does: 'The first tee sheet has no tee times. Extra products, images and availabilities are empty lists.',
    shows: ['robust.empty-lists'],
    disguise: someEmptyLists,
  },
  {
    id: 'non-ascii',
    title: 'Names with other letters',
    does: 'The names of all courses have letters outside ASCII.',
    shows: ['robust.non-ascii'],
    blames: 'robust.non-ascii',
    disguise: foreignNames,
  },
  {
    id: 'other-json',
    title: 'JSON in another form',
    does: 'Answers have their fields in another order, line breaks, and escapes for letters outside ASCII.',
    shows: ['robust.non-ascii'],
    disguise: otherJson,
  },
  {
    id: 'other-success',
    title: 'Other status codes of success',
    does: 'A booking is answered with 201, and an accepted search with 202.',
    shows: ['bookings.one-for-one-wish'],
    answers: { 'success.create-status': 201, 'success.accepted-status': 202 },
  },
  {
    id: 'other-errors',
    title: 'Error bodies in another form',
    does: 'The first booking is refused as a cart problem. Errors are a list of messages, with a code.',
    shows: ['failures.cart'],
    answers: { 'error.body': 'errors', 'error.code': 'code' },
    arrange: ({ scenarios }) => void scenarios.arm('cart-problem'),
  },
  {
    id: 'errors-in-data',
    title: 'Error messages in the payload',
    does: 'The first booking is refused as a cart problem. The message is in `data`.',
    shows: ['failures.cart'],
    answers: { 'error.body': 'data' },
    arrange: ({ scenarios }) => void scenarios.arm('cart-problem'),
  },
  {
    id: 'other-bookings',
    title: 'Bookings in another form',
    does: 'Booking ids are short, times of creation have a zone, and the list is in the order of creation.',
    shows: ['payments.identifier'],
    answers: { 'booking.id-form': 'short', 'time.created-zone': 'offset', 'booking-list.order': 'created' },
  },
  {
    id: 'paused-payments',
    title: 'Payments of v5 are paused in other words',
    does: 'In v5, all payments are paused. A header says so, and older versions announce their end in another.',
    shows: ['payments.v5-paused'],
    answers: {
      'payment.v5.paused-message': 'header',
      'bulk-payment.v5.state': 'paused',
      'versions.deprecation': 'header',
    },
  },
];

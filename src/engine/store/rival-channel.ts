/** The name under which competing buyers book: no list of a partner shows their bookings. */
export const RIVALS = 'rivals';

/** The contact of a competing buyer. */
export const buyer = {
  contactFirstName: 'Rival',
  contactLastName: 'Buyer',
  contactPhone: '+44 20 7946 0999',
  contactEmail: 'rival@buyer.example',
};

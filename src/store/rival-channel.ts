/** The name under which competing buyers book: no list of a partner shows their bookings. */
export const RIVALS = 'rivals';

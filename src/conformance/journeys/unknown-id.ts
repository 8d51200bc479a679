/** A number that no facility, course, tee time, product or booking has, near the largest that they may have. */
export const UNKNOWN_ID = 2_147_483_646;

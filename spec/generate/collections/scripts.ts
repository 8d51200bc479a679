/** JavaScript of requests, in the words of `Request`: both Postman and Bruno run it. */

/** Keeps a new pair of tokens. */
export const keepTokens = `if (body.success) {
  keep('accessToken', body.data.access_token);
  keep('accessTokenExpires', String(Date.now() + body.data.expires_in * 1000));
  keep('refreshToken', body.data.refresh_token);
} else if (get('initialRefreshToken')) {
  // The sandbox was started again or reset, and knows only the initial token. Send the request again.
  keep('refreshToken', get('initialRefreshToken'));
}`;

/**
 * Finds two tee times of a course.
 *
 * @param prefix What the names of the variables begin with.
 */
function findTeeTimes(prefix: '' | 'linked', path: string, fits: string): string {
  const [first, second] = prefix === '' ? ['', 'second'] : ['linked', 'linkedSecond'];
  return `// Finds two tee times that are free now, so that the request can be sent again and again.
const players = Number(get('players'));
send(\`${path}\`, ({ data }) => {
  const fits = (product) => ${fits};
  const free = data.teeTimeV3
    .map((teeTime) => ({ teeTime, product: teeTime.products.find(fits) }))
    .filter(({ product }) => product);
  ['${first}', '${second}'].forEach((prefix, index) => {
    if (!free[index]) return;
    const { teeTime, product } = free[index];
    const put = (name, value) => set(prefix ? prefix + name[0].toUpperCase() + name.slice(1) : name, value);
    put('teeId', teeTime.teeid);
    put('teetime', teeTime.time.replace('T', ' '));
    put('course', teeTime.course);
    put('productId', product.mid);
    put('netRate', product.pricing.find(({ quantity }) => quantity === players).netRate.amount);
    if (teeTime.extraProducts.length > 0) put('extraProductId', teeTime.extraProducts[0].mid);
  });
});`;
}

const query = (holes: string): string =>
  `?bookingDate=\${get('bookingDate')}&players=\${players}&holes=\${get('${holes}')}`;

/** Two free tee times of the course. */
export const findFree = findTeeTimes(
  '',
  `/api/v5/teetimes/\${get('facilityId')}/\${get('courseId')}${query('holes')}`,
  'product.available >= players',
);

/** Two free tee times that sell the product for linked tee times. */
export const findLinked = findTeeTimes(
  'linked',
  `/api/v5/teetimes/\${get('linkedFacilityId')}/\${get('linkedCourseId')}${query('linkedHoles')}`,
  "product.available >= players && product.mid === Number(get('linkedProductId'))",
);

/** A booking of the channel that can be paid. */
export const findBooking = `// Finds a booking of the channel.
send('/api/v4/bookings', ({ data }) => {
  const booking = data.find((one) => one.status === 'BOOKED');
  if (booking) set('bookingId', booking.bookingId);
});`;

export const keepBooking = `if (body.success) set('bookingId', body.data.bookingId);`;
export const keepGroup = `if (body.success) set('groupId', body.data.groupId || body.data.bulkBookingId);`;

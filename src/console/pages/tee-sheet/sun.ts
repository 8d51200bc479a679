const RADIAN = Math.PI / 180;
const DAY_MS = 86_400_000;
const EPOCH = Date.parse('2000-01-01T12:00:00Z');
/** The middle of the sun is below the horizon when its edge is seen first, and the air bends its light. */
const AT_RISE = -0.833;

const sin = (degrees: number) => Math.sin(degrees * RADIAN);
const cos = (degrees: number) => Math.cos(degrees * RADIAN);

/** When the sun rises at a place on a date, to a minute or two; undefined if it does not. */
export function sunrise(latitude: number, longitude: number, date: string): number | undefined {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const days = (midnight - EPOCH) / DAY_MS;
  const anomaly = 357.529 + 0.98560028 * days;
  const along = 280.459 + 0.98564736 * days + 1.915 * sin(anomaly) + 0.02 * sin(2 * anomaly);
  const tilt = Math.asin(sin(23.44) * sin(along)) / RADIAN;
  const minutesAhead = 9.87 * sin(2 * along) - 7.66 * sin(anomaly);
  const cosine = (sin(AT_RISE) - sin(latitude) * sin(tilt)) / (cos(latitude) * cos(tilt));
  if (Math.abs(cosine) > 1) return undefined;
  const minutes = 720 - 4 * longitude - minutesAhead - (4 * Math.acos(cosine)) / RADIAN;
  return midnight + minutes * 60_000;
}

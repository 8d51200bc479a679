/** How a duration is written, for errors and help. */
export const DURATION_FORMS = '250ms, 2s, 5m, 1h, 2d or PT1H';

const short = /^(\d{1,15}(?:\.\d{1,6})?)(ms|s|m|h|d)$/;
const iso =
  /^P(?=.*\d[WDHMS]$)(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d{1,6})?)S)?)?$/;
const milliseconds = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const { w, d, h, m, s } = milliseconds;

/** Milliseconds of a duration such as `250ms`, `2s`, `5m`, `1h`, `2d` or `PT1H`; undefined for any other text. */
export function readDuration(text: string): number | undefined {
  const [, count, unit] = short.exec(text) ?? [];
  if (unit !== undefined) return Math.round(Number(count) * milliseconds[unit as keyof typeof milliseconds]);
  const parts = iso.exec(text);
  if (!parts) return undefined;
  return Math.round([w, d, h, m, s].reduce((sum, unit, index) => sum + unit * Number(parts[index + 1] ?? 0), 0));
}

/** A duration in the largest unit that has no fraction of it. */
export function durationText(ms: number): string {
  const unit = (['h', 'm', 's'] as const).find((one) => ms > 0 && ms % milliseconds[one] === 0) ?? 'ms';
  return `${ms / milliseconds[unit]}${unit}`;
}

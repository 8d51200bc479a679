const form = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/;
const units = [604_800_000, 86_400_000, 3_600_000, 60_000, 1000] as const;

/** Milliseconds of an ISO 8601 duration that fits the pattern of its schema. */
export function readDuration(text: string): number {
  const parts = form.exec(text)!;
  return Math.round(units.reduce((sum, unit, index) => sum + unit * Number(parts[index + 1] ?? 0), 0));
}

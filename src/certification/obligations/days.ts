/** A day of a query as `yyyy-mm-dd`: the API specification writes it in both ways. */
export function dayOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (/^\d\d-\d\d-\d{4}$/.test(text)) return text.split('-').reverse().join('-');
  return /^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined;
}

/** Whether a day is among others; a border that is not known includes all. */
export function isWithin(day: string | undefined, from: string | undefined, to: string | undefined): boolean {
  return day === undefined || ((from === undefined || from <= day) && (to === undefined || day <= to));
}

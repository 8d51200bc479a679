import { instantOf } from '../../data/local-time.js';
import { localWords, placeOf } from '../../parts/time.js';
import type { SheetDay, ShownBooking } from './cells.js';
import type { LostEvent } from './marks.js';

const formats = new Map<string, Intl.NumberFormat>();

/** An amount such as `€90.50`. */
export function money(amount: number, currency: string): string {
  let format = formats.get(currency);
  if (!format) {
    format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
    formats.set(currency, format);
  }
  return format.format(amount);
}

/** An amount without the cents that it has not, such as `€90`. */
export function briefMoney(amount: number, currency: string): string {
  return money(amount, currency).replace(/[.,]00$/, '');
}

/** The hour and minute of a local time. */
export function hourOf(time: string): string {
  return time.slice(11, 16);
}

const longDay = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'full' });

/** A tee time where it is, and in UTC: `09:39 Amsterdam (07:39 UTC)`. */
export function hourWords(timeZone: string, time: string): string {
  const utc = new Date(instantOf(timeZone, time)).toISOString();
  return `${hourOf(time)} ${placeOf(timeZone)} (${hourOf(utc)} UTC)`;
}

/** A date in words, such as `Tuesday 11 June 2030`. */
export function dayName(date: string): string {
  return longDay.format(new Date(`${date}T00:00:00Z`));
}

/** For how many players a rule of cancellation is, such as `1 to 3 players`. */
export function playersWords({ minimumPlayer, maximumPlayer }: SheetDay['cancellation'][number]): string {
  const players = minimumPlayer === maximumPlayer ? `${minimumPlayer}` : `${minimumPlayer} to ${maximumPlayer}`;
  return `${players} player${maximumPlayer === 1 ? '' : 's'}`;
}

/** The cancellation policy of a facility for each number of players. */
export function policyWords({ cancellation }: Pick<SheetDay, 'cancellation'>): string {
  const parts = cancellation.map((rule) => `${playersWords(rule)}: until ${rule.timePeriod} hours before`);
  return parts.length === 0 ? 'Cancellation until the tee time' : `Cancellation: ${parts.join('; ')}`;
}

/** Until when a booking can be cancelled, and whether that is over. */
export function deadlineWords({ cancellableUntil }: ShownBooking, timeZone: string, now: number): string {
  const until = localWords(cancellableUntil, timeZone);
  const over = now > Date.parse(cancellableUntil);
  return over ? `Cancellation closed on ${until}` : `Can be cancelled until ${until}`;
}

/** That the client of a booking may not know of it, and why. */
export function lostWords({ requestId, scenario }: LostEvent): string {
  return `The client may not know: the answer to ${requestId} was lost${scenario === null ? '' : ` by ${scenario}`} after the commit.`;
}

/** How a payment stands. */
export const paymentWords: Readonly<Record<ShownBooking['payment'], string>> = {
  none: 'Payment not confirmed',
  intent: 'Paid with an intent, not confirmed',
  confirmed: 'Payment confirmed',
};

/** A booking in a narrow cell: the last name of its contact, and how many come along. */
export function briefName({ contactLastName, contactFirstName, players }: ShownBooking): string {
  return `${contactLastName || contactFirstName}${players > 1 ? ` +${players - 1}` : ''}`;
}

/** The players of a booking: the contact, those that it names, and those that it does not. */
export function playersOf({ contactFirstName, contactLastName, additionalPlayers, players }: ShownBooking): string[] {
  const names = [{ firstName: contactFirstName, lastName: contactLastName }, ...additionalPlayers]
    .slice(0, players)
    .map(({ firstName, lastName }) => `${firstName} ${lastName}`.trim());
  return [...names, ...Array<string>(players - names.length).fill('Guest')];
}

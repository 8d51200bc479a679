import type { Session } from './session.js';

/** Something that all rules of a run share: called with a session, it is made by the first caller and kept. */
export type Resource<T> = (session: Session) => Promise<T>;

/** The same with a parameter: made once for each value of it. */
export type ResourceOf<P, T> = (session: Session, param: P) => Promise<T>;

/**
 * Makes a shared resource. It is known by its identity and not by its name, so that two files can only share it by
 * importing it, and its type and its factory are the same for both.
 *
 * Every rule that uses it gets the exchanges it rests on as evidence. A failure is kept like a value.
 *
 * @param name For messages only.
 * @example
 * export const teeSheet = resource('tee sheet', async (session) => firstOpenSheet(session));
 * const { teeTimes } = await teeSheet(session);
 */
export function resource<T>(name: string, make: (session: Session) => Promise<T>): Resource<T> {
  const owner = { name };
  return (session) => session.share(owner, undefined, make);
}

/**
 * Makes a shared resource with a parameter.
 *
 * @param keyOf What tells two values of the parameter apart; default: the value itself.
 */
export function resourceOf<P, T>(
  name: string,
  make: (session: Session, param: P) => Promise<T>,
  keyOf: (param: P) => unknown = (param) => param,
): ResourceOf<P, T> {
  const owner = { name };
  return (session, param) => session.share(owner, keyOf(param), (inner) => make(inner, param));
}

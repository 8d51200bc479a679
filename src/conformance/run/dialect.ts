import type { GivenAnswers, QuestionId } from '../../contract/index.js';
import type { LowerBounds } from '../client/types.js';

/** The differences between the observed answers and a card, one sentence each; by version if versions may differ. */
export function differences(observed: GivenAnswers, card: GivenAnswers): string[] {
  return (Object.keys(observed) as QuestionId[]).flatMap((id) => {
    const [seen, said] = [observed[id], card[id]] as readonly unknown[];
    if (!isByVersion(seen)) return difference(id, seen, said);
    return Object.entries(seen).flatMap(([version, answer]) =>
      difference(`${id} (${version})`, answer, isByVersion(said) ? said[version] : said),
    );
  });
}

/** The differences between a card and the numbers that limits are not below; 0 on a card is no limit. */
export function belowBounds(bounds: LowerBounds, card: GivenAnswers): string[] {
  return Object.entries(bounds).flatMap(([id, number]) => {
    const said = (card as Readonly<Record<string, unknown>>)[id];
    const fits = typeof said !== 'number' || said === 0 || said >= number;
    return fits ? [] : [`${id} was ${said} on the card and is ${boundText(number)} now`];
  });
}

/** What is known of a limit that no request has reached. */
export const boundText = (number: number): string => `at least ${number}`;

function difference(what: string, seen: unknown, said: unknown): string[] {
  const [now, before] = [seen, said].map((answer) => JSON.stringify(answer));
  if (before === undefined || before === now) return [];
  return [`${what} was ${before} on the card and is ${now} now`];
}

function isByVersion(answer: unknown): answer is Readonly<Record<string, unknown>> {
  return typeof answer === 'object' && answer !== null && !Array.isArray(answer);
}

/** An answer in words, such as `post`, `v1, v2` or `v4: get, v5: both`. */
export function answerText(answer: unknown): string {
  if (Array.isArray(answer)) return answer.join(', ') || 'none';
  if (!isByVersion(answer)) return String(answer);
  return Object.entries(answer)
    .map(([version, option]) => `${version}: ${String(option)}`)
    .join(', ');
}

import { type JsonObject, Misfit } from '../../common/index.js';
import { questionSwitches } from '../../contract/index.js';

/** The version of a question that an id stood for when each version had a question of its own. */
export interface FormerQuestion {
  readonly id: string;
  readonly version: string;
}

/** By the former id. */
const formerQuestions: ReadonlyMap<string, FormerQuestion> = new Map(
  questionSwitches.flatMap((entry) =>
    'formerly' in entry
      ? entry.versions.map((version) => [entry.formerly.replace('{version}', version), { id: entry.id, version }])
      : [],
  ),
);

/**
 * The answers of a card under the ids of today: `{"payment.v5.method": "post"}` is `{"payment.method": {"v5": "post"}}`.
 *
 * @throws {Misfit} where a former id and the id of today give a version different answers; it names both.
 */
export function withoutFormerIds(given: JsonObject): Record<string, unknown> {
  const former = Object.keys(given).filter((id) => formerQuestions.has(id));
  const answers = Object.fromEntries(Object.entries(given).filter(([id]) => !formerQuestions.has(id)));
  for (const formerId of former) {
    const { id, version } = formerQuestions.get(formerId)!;
    const answer = given[formerId];
    const now = answers[id] ?? {};
    const byVersion = typeof now === 'object';
    const other = byVersion ? (now as JsonObject)[version] : now;
    if (other !== undefined && other !== answer) throw contradiction(formerId, answer, id, other, version);
    if (byVersion) answers[id] = { ...now, [version]: answer };
  }
  return answers;
}

function contradiction(formerId: string, answer: unknown, id: string, other: unknown, version: string): Misfit {
  const [one, two] = [answer, other].map((value) => JSON.stringify(value));
  return new Misfit(
    `\`${formerId}\` is ${one}, but \`${id}\` is ${two} for ${version}. Please remove \`${formerId}\`, which is a former id.`,
    [one, two].map(String),
  );
}

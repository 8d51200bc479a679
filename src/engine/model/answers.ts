import type { Answers, Version, VersionedQuestion } from '../../contract/index.js';

type OptionOf<Id extends VersionedQuestion> = Answers[Id][keyof Answers[Id]];

/** The answer of one version; undefined if no operation of that version depends on the question. */
export function answerFor<Id extends VersionedQuestion>(
  answers: Answers,
  id: Id,
  version: Version,
): OptionOf<Id> | undefined {
  return (answers[id] as Partial<Record<Version, OptionOf<Id>>>)[version];
}

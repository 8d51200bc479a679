import { computed, signal } from '@preact/signals';
import { type AdminType, call, perform, reasonOf } from '../../data/api.js';
import { toast } from '../../data/toasts.js';

/** A point that the API specification leaves open, as the sandbox lists it. */
export type OpenQuestion = AdminType<'Question'>;
export type OneAnswer = AdminType<'QuestionAnswer'>;
/** An answer, or one for each version. */
export type GivenAnswer = NonNullable<OpenQuestion['answer']>;
export type CardBody = AdminType<'DialectCard'>;

/** The answers that were changed here and are not applied yet. */
export const draft = signal<ReadonlyMap<string, GivenAnswer>>(new Map());

export const changes = computed(() => draft.value.size);

/** Other pages of the console leave it, but to reload or close the tab would not. */
addEventListener('beforeunload', (event) => changes.value > 0 && event.preventDefault());

export const dialectCall = (body: CardBody) => call('PUT', 'dialect', { body });

/** Notes a changed answer; one that is in force is no change. */
export function change(question: OpenQuestion, answer: GivenAnswer): void {
  const next = new Map(draft.value);
  if (sameAnswer(answer, question.answer)) next.delete(question.id);
  else next.set(question.id, answer);
  draft.value = next;
}

export function discard(): void {
  draft.value = new Map();
}

/** The card in force with the changes. An answer that is the default is left out. */
export function changedCard(card: CardBody, questions: readonly OpenQuestion[]): CardBody {
  const answers: Record<string, unknown> = { ...card.answers };
  for (const [id, answer] of draft.value) {
    const question = questions.find((one) => one.id === id);
    if (question && isDefault(question, answer)) delete answers[id];
    else answers[id] = answer;
  }
  return { ...card, answers: answers as NonNullable<CardBody['answers']> };
}

/** Replaces the card. Gives back why that failed. */
export async function putCard(card: CardBody, done: string): Promise<string | undefined> {
  try {
    await perform(dialectCall(card));
    discard();
    toast(done);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function sameAnswer(one: unknown, other: unknown): boolean {
  return textOf(one) === textOf(other);
}

function textOf(answer: unknown): string {
  if (Array.isArray(answer)) return JSON.stringify(answer.toSorted());
  if (typeof answer !== 'object' || answer === null) return JSON.stringify(answer);
  return JSON.stringify(Object.entries(answer).toSorted());
}

function isDefault({ default: usual }: OpenQuestion, answer: GivenAnswer): boolean {
  return isByVersion(answer) ? Object.values(answer).every((one) => sameAnswer(one, usual)) : sameAnswer(answer, usual);
}

/** Whether the answer is an object of answers by version. */
export function isByVersion(answer: GivenAnswer): answer is Record<string, OneAnswer> {
  return typeof answer === 'object' && !Array.isArray(answer);
}

/** An answer in short: equal answers of all versions are one. */
export function shownAnswer(answer: GivenAnswer | undefined): string {
  if (answer === undefined) return '';
  if (Array.isArray(answer)) return answer.length === 0 ? 'none' : answer.join(', ');
  if (!isByVersion(answer)) return String(answer);
  const all = Object.entries(answer);
  if (new Set(all.map(([, one]) => String(one))).size === 1) return String(all[0]?.[1]);
  return all.map(([version, one]) => `${version} ${one}`).join(', ');
}

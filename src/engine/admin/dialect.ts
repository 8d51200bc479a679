import { loadCatalogue } from '../../contract/index.js';
import { answersOf, parseDialectCard } from '../state/dialect.js';
import { ValidationError } from '../../common/index.js';
import { problemOf } from './problem.js';
import { readJson } from './read.js';
import type { AdminCall, AdminRoute } from './route.js';

/** Reads and replaces the current dialect card, and tells what it could answer. */
export const dialectRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: 'dialect', answer: ({ host }) => host.dialect.card },
  { method: 'PUT', path: 'dialect', answer: replace },
  { method: 'GET', path: 'questions', answer: listQuestions },
];

async function replace({ host, request }: AdminCall): Promise<unknown> {
  const card = await readJson(request);
  try {
    host.scenarios.check(parseDialectCard(card).scenarios ?? []);
    host.dialect.replace(card);
  } catch (error) {
    const what = 'Failed to load the dialect: ';
    throw error instanceof ValidationError ? problemOf(error, what) : error;
  }
  host.scenarios.armInitial();
  host.renew();
  return host.dialect.card;
}

/** What the API specification leaves open, with the answers in force. The texts are loaded with the first call. */
async function listQuestions({ host }: AdminCall): Promise<unknown> {
  const { questions, rules } = await loadCatalogue();
  const [answers, defaults]: Record<string, unknown>[] = [{ ...host.dialect.answers }, { ...answersOf() }];
  const shown = questions.map((question) => {
    const { id } = question;
    const following = rules.filter((rule) => rule.question === id);
    return {
      ...question,
      formerly: undefined,
      ...(id in answers! && { answer: answers![id], differs: textOf(answers![id]) !== textOf(defaults![id]) }),
      rules: following.map((rule) => ({ id: rule.id, statement: rule.statement })),
    };
  });
  return { count: shown.length, questions: shown };
}

/** An answer as text; the order of a list of values means nothing. */
function textOf(answer: unknown): string {
  return JSON.stringify(Array.isArray(answer) ? answer.toSorted() : answer);
}

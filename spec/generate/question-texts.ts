import { loadCatalogue, type Question } from './catalogue.js';
import { code, table } from './markdown.js';

function otherAnswers({ kind, options, values, min, max, default: usual, perVersion }: Question): string {
  if (kind === 'choice') {
    const others = options!.filter(({ value }) => value !== usual).map(({ value }) => code(value));
    return others.join(', ') + (perVersion ? '; can differ by version' : '');
  }
  if (kind === 'integer') return `${min} to ${max}`;
  return kind === 'subset' ? `any of ${code(values)}` : 'the name of another header';
}

/** The questions that a dialect card can answer. */
export function dialectTable(): string {
  const switches = loadCatalogue().questions.filter(({ kind }) => kind !== 'noted');
  const rows = switches.map((one) => [code(one.id), one.question, code(one.default), otherAnswers(one)]);
  return table(['question', 'asks', 'default', 'other answers'], rows);
}

/** What the questions of the page for operators are about, by the first word of their ids. */
const topics: Readonly<Record<string, readonly string[]>> = {
  'Credentials and tokens': ['auth', 'token'],
  'Requests, errors and status codes': ['error', 'input', 'path', 'body', 'success'],
  'Facilities, countries and courses': ['facility', 'course', 'country', 'payment-rule'],
  'Tee times and search': ['teetimes', 'search'],
  Prices: ['prices'],
  Bookings: ['booking'],
  'The booking list and times': ['booking-list', 'time'],
  Payments: ['payment', 'bulk-payment'],
  Callbacks: ['callback'],
  'Limits and versions': ['rate-limit', 'versions'],
};

/** Where the API specification says two things, with the default of the sandbox. */
export function contradictionTable(): string {
  const rows = loadCatalogue().questions.flatMap(({ id, contradiction, default: usual, why }) =>
    contradiction === undefined ? [] : [[code(id), contradiction, usual === undefined ? why! : code(usual)]],
  );
  return table(['question', 'what disagrees', 'Teebox by default'], rows);
}

/** Every question with why it matters, for the operator of a service. */
export function questionTexts(): string {
  const { questions } = loadCatalogue();
  const topicOf = ({ id }: Question): string | undefined =>
    Object.keys(topics).find((topic) => topics[topic]!.includes(id.split('.')[0]!));
  const lost = questions.find((one) => topicOf(one) === undefined);
  if (lost)
    throw new Error(
      `The question ${lost.id} belongs to no topic of docs/operators.md. Add the first word of its id to \`topics\` in spec/generate/question-texts.ts.`,
    );
  const sections = Object.keys(topics).map((topic) => {
    const own = questions.filter((one) => topicOf(one) === topic);
    return [`### ${topic}`, ...own.map(questionText)].join('\n\n');
  });
  return `\n${sections.join('\n\n')}\n`;
}

function questionText(question: Question): string {
  const { id, matters, suffers, source } = question;
  return [
    `**${question.question}** ${code(id)}`,
    '',
    `- Why it matters: ${matters}`,
    `- Without an answer: ${suffers}`,
    `- In Teebox: ${inTeebox(question)}`,
    `- In the API specification: ${source.section}, ${source.item}.`,
  ].join('\n');
}

function inTeebox(question: Question): string {
  const { kind, why, options, default: usual } = question;
  if (kind === 'noted') return why!;
  const means = options?.find(({ value }) => value === usual)?.means;
  return `${code(usual)}${means === undefined ? '' : ` (${means})`}; other answers: ${otherAnswers(question)}.`;
}

import { describe, expect, test } from 'vitest';
import { answersOf, type DialectCard, parseDialectCard } from '../../src/app/dialect.js';
import { questionSwitches } from '../../src/generated/questions.js';
import { createSandbox } from '../../src/index.js';

const LIST = 'Run `teebox questions` for the list.';
const OBJECT = 'a dialect card is a JSON object `{"name"?, "answers"?, "scenarios"?}`.';
const SCENARIOS = '`scenarios` must be a list of at most 100 texts such as "payment-pi-failed; delay=800".';
const HEADER = '`auth.bearer-header` must be the name of a request header that is free to carry a token.';

describe('cards that do not fit', () => {
  const table: readonly [string, unknown, string][] = [
    ['null', null, OBJECT],
    ['a list', [], OBJECT],
    ['a text', 'both', OBJECT],
    ['nothing', undefined, OBJECT],
    [
      'another key',
      { questions: {} },
      '`questions` is not a key of a dialect card; it has `name`, `answers` and `scenarios`.',
    ],
    [
      'an answer beside the answers',
      { 'auth.failure': 403 },
      '`auth.failure` is not a key of a dialect card; it has `name`, `answers` and `scenarios`.',
    ],
    ['a name that is no text', { name: 7 }, '`name` must be a string.'],
    ['a name that is null', { name: null }, '`name` must be a string.'],
    ['scenarios as a text', { scenarios: 'slow' }, SCENARIOS],
    ['scenarios that are no texts', { scenarios: [7] }, SCENARIOS],
    ['answers as a list', { answers: [] }, '`answers` must be an object of question ids and answers.'],
    ['answers that are null', { answers: null }, '`answers` must be an object of question ids and answers.'],
    [
      'an unknown question',
      { answers: { 'payment.v2.method': 'get' } },
      `\`payment.v2.method\` is not a question. ${LIST}`,
    ],
    [
      'a silence that is only noted',
      { answers: { 'booking.transitions': 'none' } },
      `\`booking.transitions\` is not a question. ${LIST}`,
    ],
    ['the name of a method of objects', { answers: { toString: 'x' } }, `\`toString\` is not a question. ${LIST}`],
    [
      'no option',
      { answers: { 'payment.v5.method': 'put' } },
      `\`payment.v5.method\` must be one of both, get, post. ${LIST}`,
    ],
    [
      'another case',
      { answers: { 'payment.v5.method': 'GET' } },
      `\`payment.v5.method\` must be one of both, get, post. ${LIST}`,
    ],
    [
      'a number as text',
      { answers: { 'auth.failure': '401' } },
      `\`auth.failure\` must be one of 401, 400, 403, 200. ${LIST}`,
    ],
    [
      'null as answer',
      { answers: { 'auth.failure': null } },
      `\`auth.failure\` must be one of 401, 400, 403, 200. ${LIST}`,
    ],
    [
      'options of two kinds',
      { answers: { 'facility.unknown': '404' } },
      `\`facility.unknown\` must be one of 404, 400, 200, empty. ${LIST}`,
    ],
    [
      'too small',
      { answers: { 'body.max-bytes': 1023 } },
      `\`body.max-bytes\` must be a whole number from 1024 to 16777216. ${LIST}`,
    ],
    [
      'a fraction',
      { answers: { 'callback.retries': 1.5 } },
      `\`callback.retries\` must be a whole number from 0 to 5. ${LIST}`,
    ],
    [
      'an integer as text',
      { answers: { 'callback.retries': '1' } },
      `\`callback.retries\` must be a whole number from 0 to 5. ${LIST}`,
    ],
    [
      'a version that is none',
      { answers: { 'token.versions': ['v6'] } },
      `\`token.versions\` must be a list of v1, v2, v3, v4, v5, each at most once. ${LIST}`,
    ],
    [
      'a version twice',
      { answers: { 'token.versions': ['v1', 'v1'] } },
      `\`token.versions\` must be a list of v1, v2, v3, v4, v5, each at most once. ${LIST}`,
    ],
    [
      'a version alone',
      { answers: { 'token.versions': 'v1' } },
      `\`token.versions\` must be a list of v1, v2, v3, v4, v5, each at most once. ${LIST}`,
    ],
  ];
  for (const [title, card, message] of table) {
    test(title, async () => {
      expect(() => parseDialectCard(card)).toThrow(new Error(message));
      if (card !== undefined)
        await expect(createSandbox({ dialect: card as DialectCard })).rejects.toThrow(new Error(message));
    });
  }

  test('the first thing that does not fit is named', () => {
    const card = { answers: { 'auth.failure': 401, 'error.body': 'text', 'error.code': 'number' } };
    expect(() => parseDialectCard(card)).toThrow(/^`error.body` /);
  });

  test.each(['', 'a b', 'x:y', 'Bearer\n', 'ä', 'x'.repeat(65), 7, null, ['X-Token']])('the header %j', (header) => {
    expect(() => parseDialectCard({ answers: { 'auth.bearer-header': header } })).toThrow(
      new Error(`${HEADER} ${LIST}`),
    );
  });

  test.each(['Content-Type', 'content-length', 'Host', 'Cookie', 'Transfer-Encoding', 'Connection', 'Teebox-Scenario'])(
    'the header %s, which has a meaning of its own',
    (header) => {
      expect(() => parseDialectCard({ answers: { 'auth.bearer-header': header } })).toThrow(
        new Error(`${HEADER} ${LIST}`),
      );
    },
  );
});

describe('cards that fit', () => {
  test.each(questionSwitches.map((entry) => [entry.id, entry] as const))(
    'every value of %s, and none beside them',
    (id, entry) => {
      const takes = (value: unknown): boolean => {
        try {
          return parseDialectCard({ answers: { [id]: value } }).answers !== undefined;
        } catch {
          return false;
        }
      };
      expect(takes(entry.default)).toBe(true);
      for (const stray of [true, {}, null, 'no such option', -1]) expect(takes(stray), String(stray)).toBe(false);
      if (entry.kind === 'choice') expect(entry.options.filter((option) => !takes(option))).toEqual([]);
      if (entry.kind === 'subset')
        expect([[], entry.values, ...entry.values.map((one) => [one])].map(takes)).not.toContain(false);
      if (entry.kind !== 'integer') return;
      expect([entry.min, entry.max].map(takes)).toEqual([true, true]);
      expect([entry.min - 1, entry.max + 1, entry.min + 0.5, Number.NaN, String(entry.min)].map(takes)).not.toContain(
        true,
      );
    },
  );

  test('a card may be empty, or have a name alone', () => {
    expect(parseDialectCard({})).toEqual({ answers: {} });
    expect(parseDialectCard({ name: 'staging' })).toEqual({ name: 'staging', answers: {} });
    expect(answersOf({})).toEqual(Object.fromEntries(questionSwitches.map((entry) => [entry.id, entry.default])));
  });

  test('what a card leaves out is the default', () => {
    const answers = answersOf({ answers: { 'auth.failure': 403 } });
    expect(answers).toEqual({ ...answersOf({}), 'auth.failure': 403 });
  });

  test('an answer of 0 is an answer', () => {
    expect(answersOf({ answers: { 'callback.retries': 0, 'prices.default-limit': 0 } })).toEqual(answersOf({}));
  });

  test('a sandbox tells its card, and a change of the card afterwards changes nothing', async () => {
    const versions: 'v1'[] = ['v1'];
    const answers: { 'auth.failure': 403 | 400; 'token.versions': 'v1'[] } = {
      'auth.failure': 403,
      'token.versions': versions,
    };
    const sandbox = await createSandbox({ dialect: { name: 'staging', answers } });
    answers['auth.failure'] = 400;
    versions.pop();
    const response = await sandbox.fetch(new Request('http://sandbox.test/api/v3/countries'));
    expect(response.status).toBe(403);
    expect(sandbox.dialect).toEqual({ name: 'staging', answers: { 'auth.failure': 403, 'token.versions': ['v1'] } });
  });
});

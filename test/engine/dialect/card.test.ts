import { describe, expect, test } from 'vitest';
import { answersOf, type DialectCard, parseDialectCard } from '../../../src/engine/state/dialect.js';
import { questionSwitches } from '../../../src/contract/generated/questions.js';
import { createSandbox } from '../../../src/engine/library.js';

const LIST = 'Run `npx --no-install teebox list questions` for the list.';
const method = (got: string, guess = '') =>
  `\`payment.method\` must be one of both, get, post, or an object of these by version (v1, v3, v4, v5); got ${got}.${guess} ${LIST}`;
const OBJECT = 'A dialect card must be a JSON object such as {"name": "staging", "answers": {}, "scenarios": []}';
const SCENARIOS = '`scenarios` must be a list of at most 100 strings such as "payment-pi-failed; delay=800ms"';
const HEADER = '`auth.bearer-header` must be the name of a request header that is free to carry a token';

const validationError = (message: string) => expect.objectContaining({ name: 'ValidationError', message });

describe('cards that do not fit', () => {
  const table: readonly [string, unknown, string][] = [
    ['null', null, `${OBJECT}; got null.`],
    ['a list', [], `${OBJECT}; got [].`],
    ['a text', 'both', `${OBJECT}; got "both".`],
    ['nothing', undefined, `${OBJECT}; got nothing.`],
    [
      'another key',
      { questions: {} },
      '`questions` is not a key of a dialect card; the known names are name, answers, atLeast, scenarios.',
    ],
    [
      'an answer beside the answers',
      { 'auth.failure': 403 },
      '`auth.failure` is not a key of a dialect card; the known names are name, answers, atLeast, scenarios.',
    ],
    ['a name that is no text', { name: 7 }, '`name` must be a string; got 7.'],
    ['a name that is null', { name: null }, '`name` must be a string; got null.'],
    ['scenarios as a text', { scenarios: 'slow' }, `${SCENARIOS}; got "slow".`],
    [
      'scenarios that are no texts',
      { scenarios: [7] },
      '`scenarios[0]` must be a string such as "payment-pi-failed; delay=800ms"; got 7.',
    ],
    ['answers as a list', { answers: [] }, '`answers` must be an object of question ids and answers; got [].'],
    ['answers that are null', { answers: null }, '`answers` must be an object of question ids and answers; got null.'],
    [
      'an unknown question',
      { answers: { 'payment.v2.method': 'get' } },
      `\`payment.v2.method\` is not a question. Did you mean \`payment.method\`? ${LIST}`,
    ],
    [
      'a silence that is only noted',
      { answers: { 'booking.transitions': 'none' } },
      `\`booking.transitions\` is not a question. ${LIST}`,
    ],
    ['the name of a method of objects', { answers: { toString: 'x' } }, `\`toString\` is not a question. ${LIST}`],
    ['no option', { answers: { 'payment.method': 'put' } }, method('"put"')],
    ['another case', { answers: { 'payment.method': 'GET' } }, method('"GET"', ' Did you mean `get`?')],
    [
      'a typo in a question',
      { answers: { 'payment.methods': 'get' } },
      `\`payment.methods\` is not a question. Did you mean \`payment.method\`? ${LIST}`,
    ],
    [
      'a typo in an answer',
      { answers: { 'error.body': 'mesage' } },
      `\`error.body\` must be one of message, error, errors, data; got "mesage". Did you mean \`message\`? ${LIST}`,
    ],
    [
      'no option for a version',
      { answers: { 'payment.method': { v4: 'get', v5: 'put' } } },
      method('{"v4":"get","v5":"put"}'),
    ],
    ['a version without the operation', { answers: { 'payment.method': { v2: 'get' } } }, method('{"v2":"get"}')],
    ['no version at all', { answers: { 'payment.method': {} } }, method('{}')],
    ['options in a list', { answers: { 'payment.method': ['get'] } }, method('["get"]')],
    [
      'no option under a former id',
      { answers: { 'payment.v5.method': 'put' } },
      `\`payment.v5.method\` must be one of both, get, post; got "put". ${LIST}`,
    ],
    [
      'an object under a former id',
      { answers: { 'payment.v5.method': { v5: 'get' } } },
      `\`payment.v5.method\` must be one of both, get, post; got {"v5":"get"}. ${LIST}`,
    ],
    [
      'a former id against one option for all versions',
      { answers: { 'payment.method': 'post', 'payment.v5.method': 'get' } },
      '`payment.v5.method` is "get", but `payment.method` is "post" for v5. Please remove `payment.v5.method`, which is a former id.',
    ],
    [
      'a former id against the option of its version',
      { answers: { 'auth.v2.schemes': 'basic', 'auth.schemes': { v1: 'basic', v2: 'bearer' } } },
      '`auth.v2.schemes` is "basic", but `auth.schemes` is "bearer" for v2. Please remove `auth.v2.schemes`, which is a former id.',
    ],
    [
      'an object for a question without versions',
      { answers: { 'auth.failure': { v1: 403 } } },
      `\`auth.failure\` must be one of 401, 400, 403, 200; got {"v1":403}. ${LIST}`,
    ],
    [
      'a number as text',
      { answers: { 'auth.failure': '401' } },
      `\`auth.failure\` must be one of 401, 400, 403, 200; got "401". ${LIST}`,
    ],
    [
      'null as answer',
      { answers: { 'auth.failure': null } },
      `\`auth.failure\` must be one of 401, 400, 403, 200; got null. ${LIST}`,
    ],
    [
      'a limit that is at least nothing',
      { atLeast: { 'prices.max-limit': 0 } },
      '`atLeast.prices.max-limit` must be a whole number from 1; got 0.',
    ],
    [
      'options of two kinds',
      { answers: { 'facility.unknown': '404' } },
      `\`facility.unknown\` must be one of 404, 400, 200, empty; got "404". ${LIST}`,
    ],
    [
      'too small',
      { answers: { 'body.max-bytes': 1023 } },
      `\`body.max-bytes\` must be a whole number from 1024 to 16777216; got 1023. ${LIST}`,
    ],
    [
      'a fraction',
      { answers: { 'callback.retries': 1.5 } },
      `\`callback.retries\` must be a whole number from 0 to 5; got 1.5. ${LIST}`,
    ],
    [
      'an integer as text',
      { answers: { 'callback.retries': '1' } },
      `\`callback.retries\` must be a whole number from 0 to 5; got "1". ${LIST}`,
    ],
    [
      'a version that is none',
      { answers: { 'token.versions': ['v6'] } },
      `\`token.versions[0]\` must be one of "v1", "v2", "v3", "v4", "v5"; got "v6". ${LIST}`,
    ],
    [
      'a version twice',
      { answers: { 'token.versions': ['v1', 'v1'] } },
      `\`token.versions\` must be a list of v1, v2, v3, v4, v5, each at most once; got ["v1","v1"]. ${LIST}`,
    ],
    [
      'a version alone',
      { answers: { 'token.versions': 'v1' } },
      `\`token.versions\` must be a list of v1, v2, v3, v4, v5, each at most once; got "v1". ${LIST}`,
    ],
  ];
  for (const [title, card, message] of table) {
    test(title, async () => {
      expect(() => parseDialectCard(card)).toThrow(validationError(message));
      if (card !== undefined)
        await expect(createSandbox({ dialect: card as DialectCard })).rejects.toThrow(validationError(message));
    });
  }

  test('the first thing that does not fit is named', () => {
    const card = { answers: { 'auth.failure': 401, 'error.body': 'text', 'error.code': 'number' } };
    expect(() => parseDialectCard(card)).toThrow(/^`error.body` /);
  });

  test.each(['', 'a b', 'x:y', 'Bearer\n', 'ä', 'x'.repeat(65), 7, null, ['X-Token']])('the header %j', (header) => {
    expect(() => parseDialectCard({ answers: { 'auth.bearer-header': header } })).toThrow(
      validationError(`${HEADER}; got ${JSON.stringify(header)}. ${LIST}`),
    );
  });

  test.each([
    'Content-Type',
    'content-length',
    'Host',
    'Cookie',
    'Transfer-Encoding',
    'Connection',
    'Teebox-Scenario',
    '__proto__',
  ])('the header %s, which has a meaning of its own', (header) => {
    expect(() => parseDialectCard({ answers: { 'auth.bearer-header': header } })).toThrow(
      validationError(`${HEADER}; got ${JSON.stringify(header)}. ${LIST}`),
    );
  });
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
    const usual = (entry: (typeof questionSwitches)[number]): unknown =>
      'versions' in entry
        ? Object.fromEntries(entry.versions.map((version) => [version, entry.default]))
        : entry.default;
    expect(answersOf({})).toEqual(Object.fromEntries(questionSwitches.map((entry) => [entry.id, usual(entry)])));
  });

  test('what a card leaves out is the default', () => {
    const answers = answersOf({ answers: { 'auth.failure': 403 } });
    expect(answers).toEqual({ ...answersOf({}), 'auth.failure': 403 });
  });

  test('one option is that of all versions, and a version that is left out has the default', () => {
    const answers = answersOf({ answers: { 'payment.method': 'post', 'auth.schemes': { v2: 'basic' } } });
    expect(answers['payment.method']).toEqual({ v1: 'post', v3: 'post', v4: 'post', v5: 'post' });
    expect(answers['auth.schemes']).toEqual({ v1: 'both', v2: 'basic', v3: 'both', v4: 'both', v5: 'both' });
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

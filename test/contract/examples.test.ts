import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { deref, loadContract, type Operation, placedOperations } from '../../spec/generate/contract.js';
import { refusalTable, transferFailedWords } from '../../src/engine/api/refusals.js';

const contract = await loadContract();
// Straight from the contract, past the preparation that the generated validators have gone through.
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).addSchema(contract, 'contract');

interface Shown {
  readonly what: string;
  readonly schema: object;
  readonly value: unknown;
}

function examplesOf(operation: Operation): Shown[] {
  const { operationId: id, parameters = [], requestBody, responses, callbacks = {} } = operation;
  const bodies = Object.entries({ request: requestBody, ...responses }).flatMap(([what, holder]) => {
    const media = holder && deref(contract, holder).content?.['application/json'];
    if (!media) return [];
    const examples = Object.entries(media.examples ?? {});
    expect(examples, `examples of ${id} ${what}`).not.toEqual([]);
    return examples.map(([name, example]) => ({
      what: `${id} ${what} ${name}`,
      schema: media.schema,
      value: deref(contract, example).value,
    }));
  });
  const sent = parameters.map((entry) => {
    const { name, schema, example } = deref(contract, entry) as { name: string; schema: object; example?: unknown };
    return { what: `${id} ?${name}`, schema, value: example };
  });
  const called = Object.values(callbacks).flatMap((callback) =>
    Object.values(callback).flatMap((item) => Object.values(item).flatMap(examplesOf)),
  );
  return [...bodies, ...sent, ...called];
}

function absolute(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"contract#')) as object;
}

describe('every example validates', () => {
  const shown = placedOperations(contract).flatMap(({ operation }) => examplesOf(operation));

  test.each(shown)('$what', ({ schema, value }) => {
    const validate = ajv.compile(absolute(schema));
    validate(value);
    expect(validate.errors).toBeNull();
  });
});

describe('what examples must show', () => {
  const bodyExamples = (holder: object): unknown[] =>
    Object.values(
      (deref(contract, holder) as Operation['responses'][string]).content!['application/json'].examples!,
    ).map((example) => deref(contract, example).value);
  const creating = placedOperations(contract).filter(({ operation: { operationId } }) => /create/.test(operationId));

  test.each(creating)('$path: all seven failures, in the words of the sandbox', ({ operation }) => {
    const messages = bodyExamples(operation.responses['400']!).map((value) => (value as { message: string }).message);
    const codes = ['tee-sheet-unresponsive', 'booking-failed', 'payment-pi-failed', 'payment-pv-failed'] as const;
    const words = [...codes, 'cart-problem' as const, 'unprocessable' as const].map((code) => refusalTable[code].words);
    expect(messages).toEqual(expect.arrayContaining([...words, transferFailedWords('req-17')]));
  });

  test.each(creating.filter(({ operation }) => !operation.operationId.startsWith('v2')))(
    '$path: an answer to two bookings has two',
    ({ operation }) => {
      const sent = bodyExamples(operation.requestBody!).map((body) => (body as { details?: unknown }).details ?? body);
      for (const list of sent.filter(Array.isArray)) expect(list).toHaveLength(2);
      const answers = bodyExamples(operation.responses['200']!) as { data: { bookingIds?: unknown[] } }[];
      for (const { data } of answers) expect(data.bookingIds?.length ?? 2).toBe(2);
      expect(answers.some(({ data }) => data.bookingIds)).toBe(true);
    },
  );

  test('dates of play are in the future of any clock that runs in this decade', () => {
    const text = JSON.stringify([contract.components.examples, contract.components.parameters, contract.paths]);
    const days = [...text.matchAll(/"(?:time|teetime|date)":"(\d{4})|"example":"\d\d-\d\d-(\d{4})"/g)];
    expect(days.length).toBeGreaterThan(20);
    expect([...new Set(days.map(([, iso, query]) => iso ?? query))]).toEqual(['2030']);
  });
});

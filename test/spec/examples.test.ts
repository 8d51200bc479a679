import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { deref, loadContract, type Operation, placedOperations } from '../../spec/generate/contract.js';

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

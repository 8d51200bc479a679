import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadCatalogue, type Question, type Rule } from '../../spec/generate/catalogue.js';
import { loadContract } from '../../spec/generate/contract.js';
import { faultsOf } from '../../spec/generate/faults.js';
import { staleFiles } from '../../spec/generate/files.js';
import { literal, outputFolder } from '../../spec/generate/folders.js';
import { scenarioReader } from '../../spec/generate/scenarios.js';
import { prepare } from '../../spec/generate/schemas.js';
import { changedSummary } from '../../spec/generate/summary.js';
import { validatorFiles } from '../../spec/generate/validators.js';
import { ownScenario } from '../support/scenarios/own-scenario.js';
import { operations } from '../../src/contract/generated/operations.js';
import { textsOf } from '../support/texts-of.js';

const contract = await loadContract();
const catalogue = loadCatalogue();

test('a run tells how many files changed, and names few of them', () => {
  expect(changedSummary([])).toBe('No generated file changed.');
  expect(changedSummary(['docs/a.md'])).toBe('1 generated file changed:\n  docs/a.md');
  const many = Array.from({ length: 11 }, (_, index) => `src/b/${index}.ts`);
  expect(changedSummary(['docs/a.md', ...many, 'src/c.ts'])).toBe(
    '13 generated files changed:\n  docs/a.md\n  src/b/ (11 files)\n  src/c.ts',
  );
});

test('a mistake in a file is named once, however many references lead to the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'teebox-contract-'));
  const shared = join(folder, 'shared.yaml');
  writeFileSync(shared, 'A: 1\nA: 2\nB: 3\n');
  const schemas = ['A', 'B'].map((name) => `    ${name}: { $ref: 'shared.yaml#/${name}' }`);
  const head = 'openapi: 3.1.0\ninfo: { title: a, version: "1" }\npaths: {}\ncomponents:\n  schemas:\n';
  writeFileSync(join(folder, 'openapi.yaml'), `${head}${schemas.join('\n')}\n    C: { $ref: '#/absent' }\n`);
  const mistakes = `duplicated mapping key in "${shared}" (2:1); Can't resolve $ref (#/components/schemas/C)`;
  await expect(loadContract(join(folder, 'openapi.yaml'))).rejects.toThrow(`: ${mistakes}. Correct`);
  rmSync(folder, { recursive: true });
});

describe('src/contract/generated', () => {
  test('is stale where a file differs, is missing, or has no source', () => {
    const committed = Object.entries(textsOf(outputFolder)).filter(([name]) => !/^(built\/|types\.ts$)/.test(name));
    const files = Object.fromEntries(committed);
    expect(staleFiles(outputFolder, { ...files, 'questions.ts': 'other', 'extra.ts': '' }).sort()).toEqual([
      'extra.ts',
      'questions.ts',
      'types.ts',
    ]);
  });

  test('holds each parameter as requests are checked for it', () => {
    const row = (id: string, name: string) =>
      operations.find((one) => one.id === id)!.parameters.find((one) => one.name === name);
    expect(row('v5.listPrices', 'facilityIds')).toMatchObject({ kind: 'integers', maxItems: 5, required: true });
    expect(row('v5.listPrices', 'offset')).toMatchObject({ kind: 'integer', min: 0, required: false });
    expect(row('v5.searchTeeTimes', 'fromDate')).toMatchObject({ kind: 'date-either' });
    expect(row('v5.searchTeeTimes', 'callbackUrl')).toMatchObject({ kind: 'url' });
    expect(row('v2.listTeeTimes', 'players')).toMatchObject({ kind: 'integer', min: 1, max: 4 });
    expect(row('v2.listTeeTimes', 'holes')).toMatchObject({ kind: 'integer', values: [9, 18] });
    expect(row('v4.listBookings', 'toDate')).toMatchObject({ kind: 'date', rule: 'bookings.list.toDate' });
    expect(operations.filter(({ auth }) => !auth).map(({ id }) => id)).toEqual(['refreshToken']);
  });

  test('has no validator that needs a module at run time', () => {
    const { schemas } = contract.components;
    const long = { ...schemas, Currency: { type: 'string', minLength: 3 } };
    const other = { ...contract, components: { ...contract.components, schemas: long } };
    expect(() => validatorFiles(other)).toThrow(/ucs2length.*Use `pattern`/);
  });
});

describe('literals', () => {
  test.each([
    ['it\'s "so"\n', `'it\\'s "so"\\n'`],
    [{ a: 1, 'b.c': undefined, 'd-e': [] }, `{ a: 1, 'd-e': [] }`],
    [['x'.repeat(120)], `[\n  '${'x'.repeat(120)}',\n]`],
  ])('%j', (value, want) => {
    expect(literal(value)).toBe(want);
  });
});

describe('schemas for validators', () => {
  const schema = {
    type: 'object',
    description: 'words',
    additionalProperties: false,
    required: ['id', 'name'],
    'x-teebox-optional': ['name'],
    properties: { id: { $ref: '#/components/schemas/Id', 'x-rule': 'a.b' }, name: { type: 'string' } },
  };
  test.each([
    [
      false,
      {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'name'],
        properties: { id: { $ref: 'Id' }, name: { type: 'string' } },
      },
    ],
    [
      true,
      {
        type: 'object',
        required: ['id'],
        properties: { id: { $ref: 'Id' }, name: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      },
    ],
  ])('open: %j', (open, want) => {
    expect(prepare(schema, { open })).toEqual(want);
  });
});

test.each<[name: string, text: string, want: string]>([
  ['x.yaml', 'id: x', '`title` must be a string that matches \\S; got nothing.'],
  ['x.yaml', '', 'A scenario must be '],
  ['slow.yaml', own({ id: 'fast' }), '`id` must be the name of the file; got "fast".'],
  ['x.yaml', own({ checkpoint: 'holt' }), 'got "holt". Did you mean `hold`?'],
  ['x.yaml', own({ effect: { kind: 'change', change: 'soldout' } }), 'got "soldout". Did you mean `sold-out`?'],
])('a file of scenarios that does not fit: %s %s', (name, text, want) => {
  expect(() => scenarioReader()(name, text)).toThrow(`Failed to load scenarios/${name}: `);
  expect(() => scenarioReader()(name, text)).toThrow(want);
});

function own(changes: Record<string, unknown>): string {
  return JSON.stringify(ownScenario({ id: 'x', ...changes }));
}

describe('rules and questions', () => {
  const rule: Rule = {
    id: 'bookings.item.round',
    source: { section: 'Booking (list item)', item: 'row round' },
    statement: 'Versions 1 and 2 name the course a round.',
    basis: 'stated',
    severity: 'major',
    obliges: 'service',
    duty: 'name the course in round',
    operations: ['listBookings'],
    versions: ['v1', 'v2'],
    observable: true,
    field: { schema: 'BookingV1', name: 'round' },
  };
  const question: Question = {
    id: 'a.b',
    question: 'How?',
    source: { section: 'Limits', item: 'sentence 1' },
    kind: 'integer',
    min: 0,
    max: 5,
    default: 0,
    probe: 'Try it.',
    matters: 'A limit.',
    suffers: 'A refusal.',
  };

  test('those of the repository fit the contract', () => {
    expect(faultsOf(catalogue, contract)).toEqual([]);
  });

  test('a rule id that no file defines is named', () => {
    const rules = catalogue.rules.filter(({ id }) => id !== 'bookings.request.players');
    expect(faultsOf({ ...catalogue, rules }, contract)).toEqual([
      '`x-rule: bookings.request.players` of the contract is not defined in spec/rules',
    ]);
  });

  test('a rule that is used where it does not apply is named', () => {
    const rules = catalogue.rules.map((one) => (one.id === 'countries.response' ? { ...one, versions: ['v2'] } : one));
    const others = operations.filter(({ name, version }) => name === 'listCountries' && version !== 'v2');
    expect(faultsOf({ ...catalogue, rules }, contract)).toEqual(
      others.map(({ id }) => `\`x-rule: countries.response\` is used by \`${id}\`, to which the rule does not apply`),
    );
  });

  test.each<[change: Partial<Rule>, want: string]>([
    [{ operations: ['listBooking'] }, 'names the unknown operation `listBooking`. Did you mean `listBookings`?'],
    [{ operations: [] }, 'names no operation'],
    [{ id: 'Bookings' }, 'has an invalid id'],
    [{ basis: 'likely' as 'stated' }, 'has the basis `likely`; it must be one of stated, implied, open'],
    [{ observable: false }, 'does not explain why it cannot be observed'],
    [{ field: { schema: 'BookingV9', name: 'round' } }, 'is about the unknown schema `BookingV9`'],
    [{ field: { schema: 'BookingV1', name: 'course' } }, 'is about `course`, which is not a field of `BookingV1`'],
    [{ versions: ['v6'] }, 'has an unknown version, or none: `versions` lists some of *, v1, v2'],
    [{ versions: ['v1', 'v2', 'v4'] }, 'lists the versions that its operations have anyway'],
    [{ basics: 'x' } as Partial<Rule>, 'has the unknown key `basics`; the keys are id, source, '],
    [{ question: 'who.knows' }, 'follows the question `who.knows`, which is not defined'],
    [{ also: [{ section: 'Limits' } as Rule['source']] }, 'has no source with a section and an item'],
  ])('rule with %j', (change, want) => {
    const others = catalogue.rules.filter(({ id }) => id !== rule.id);
    const faults = (one: Rule) => faultsOf({ ...catalogue, rules: [...others, one] }, contract);
    expect(faults(rule)).toEqual([]);
    expect(faults({ ...rule, ...change }).join('\n')).toContain(`rule \`${change.id ?? rule.id}\` ${want}`);
  });

  test.each<[change: Partial<Question>, want: string]>([
    [{ default: 6 }, 'has no default of its kind'],
    [{ kind: 'choice', options: [{ value: 'b', means: 'b' }], default: 'a' }, 'has no default of its kind'],
    [{ kind: 'noted' }, 'does not explain why it is not a switch'],
    [
      { kind: 'number' as 'integer' },
      'has the kind `number`; it must be one of choice, integer, header, subset, noted',
    ],
    [{ probe: '' }, 'has no probe'],
    [{ matters: '' }, 'does not say why it matters and what a partner suffers'],
    [{ operations: ['nothing'] }, 'names the unknown operation `nothing`'],
  ])('question with %j', (change, want) => {
    const faults = (one: Question) => faultsOf({ ...catalogue, questions: [...catalogue.questions, one] }, contract);
    expect(faults(question)).toEqual([]);
    expect(faults({ ...question, ...change }).join('\n')).toContain(`question \`a.b\` ${want}`);
  });

  test('twice the same id', () => {
    const twice = {
      rules: [...catalogue.rules, catalogue.rules[0]!],
      questions: [...catalogue.questions, question, question],
    };
    expect(faultsOf(twice, contract)).toEqual([
      `rule \`${catalogue.rules[0]!.id}\` is defined twice`,
      'question `a.b` is defined twice',
    ]);
  });
});

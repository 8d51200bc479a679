import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { operationNames } from '../../spec/generate/catalogue.js';
import { loadContract } from '../../spec/generate/contract.js';
import { loadObligations, type Obligation, obligationFaults } from '../../spec/generate/obligations.js';
import { obligationSpecs } from '../../src/certification/obligations/index.js';

interface Section {
  readonly section: string;
  readonly items: readonly (string | { readonly item: string })[];
}

const files = loadObligations();
const obligations = [...files.values()].flat();
const names = operationNames(await loadContract());
const outline = parse(readFileSync(new URL('../../spec/document.yaml', import.meta.url), 'utf8')) as Section[];

describe('the obligations', () => {
  test('each have one way to be seen', () => {
    expect(obligationSpecs.map(({ id }) => id).sort()).toEqual(obligations.map(({ id }) => id).sort());
  });

  test('name places of the API specification that state something', () => {
    const places = new Set(
      outline.flatMap(({ section, items }) =>
        items.flatMap((item) => (typeof item === 'string' ? [`${section} / ${item}`] : [])),
      ),
    );
    const sources = obligations.flatMap(({ source, also = [] }) => (source ? [source, ...also] : []));
    expect(sources.map(({ section, item }) => `${section} / ${item}`).filter((place) => !places.has(place))).toEqual(
      [],
    );
  });

  test('are in the file of their resource', () => {
    const homes: Readonly<Record<string, string>> = { channel: 'channels', robust: 'robustness' };
    const strays = [...files].flatMap(([file, list]) =>
      list.filter(({ id }) => (homes[id.split('.')[0]!] ?? id.split('.')[0]) !== file),
    );
    expect(strays.map(({ id }) => id)).toEqual([]);
  });

  const sentences = (text: string): boolean => /^[A-Z`][^\n]*\.$/.test(text);
  const one = (text: string): boolean => sentences(text) && !/\. [A-Z]/.test(text);
  const longest = (text: string): number => Math.max(...text.split(/[.;:] /).map((part) => part.split(/\s+/).length));
  const checks: readonly { want: string; holds: (obligation: Obligation) => boolean }[] = [
    {
      want: 'state the duty of a client in one sentence',
      holds: ({ statement }) => one(statement) && /^A client (MUST|SHOULD)\b/.test(statement),
    },
    { want: 'say in one sentence how they are seen', holds: ({ seen }) => one(seen) },
    {
      want: 'say what a client must do, as an order',
      holds: ({ toSee }) => sentences(toSee) && !/^(A|The|It|If) /.test(toSee),
    },
    { want: 'give reasons in whole sentences', holds: ({ reason }) => reason === undefined || sentences(reason) },
    {
      want: 'have no sentence above 30 words',
      holds: ({ statement, seen, toSee, reason = '' }) =>
        [statement, seen, toSee, reason].every((text) => longest(text) <= 30),
    },
  ];
  test.each(checks)('$want', ({ holds }) => {
    expect(obligations.filter((obligation) => !holds(obligation)).map(({ id }) => id)).toEqual([]);
  });
});

describe('a fault of an obligation is found', () => {
  const right = obligations[0]!;
  const rows: readonly [given: Partial<Record<keyof Obligation | 'why', unknown>>, want: string][] = [
    [{ id: 'tokens' }, 'has an invalid id'],
    [{ toSee: '' }, 'lacks one of'],
    [{ source: undefined, reason: undefined, also: undefined, basis: 'careful' }, 'has neither a source'],
    [{ basis: 'implied' }, 'has the basis `implied`'],
    [{ basis: 'stated', source: undefined, also: undefined, reason: 'Why.' }, 'is stated, but names no source'],
    [{ basis: 'careful', reason: undefined }, 'gives no reason'],
    [{ severity: 'high' }, 'has the severity `high`; it must be one of critical, major, minor'],
    [{ operations: ['listGolfers'] }, 'names the unknown operation `listGolfers`'],
    [{ operations: [] }, 'names no operation'],
    [{ why: 'x' }, 'has the unknown key `why`; the keys are id, source, '],
    [{ source: { section: 'Limits' } }, 'has a source without section or item'],
  ];
  test.each(rows)('%j', (given, want) => {
    const wrong = {
      ...right,
      source: right.source ?? { section: 'Limits', item: 'row players' },
      ...given,
    } as Obligation;
    expect(obligationFaults([wrong], names).join('\n')).toContain(want);
  });

  test('an id of two', () => {
    expect(obligationFaults([right, right], names).join('\n')).toContain('is defined twice');
  });

  test('and none in what is right', () => {
    expect(obligationFaults(obligations, names)).toEqual([]);
  });
});

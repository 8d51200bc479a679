import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { operations } from '../../src/contract/generated/operations.js';

interface Source {
  readonly section: string;
  readonly item: string;
}

interface Entry {
  readonly id: string;
  readonly source: Source;
  /** Further places of the API specification that say the same. */
  readonly also?: readonly Source[];
  readonly operations: readonly string[];
}

interface Rule extends Entry {
  readonly statement: string;
  readonly basis: string;
  readonly question?: string;
  readonly versions?: readonly string[];
  readonly observable: boolean;
  readonly unobservable?: string;
}

interface Question extends Entry {
  readonly kind: string;
  readonly why?: string;
}

interface Section {
  readonly section: string;
  readonly items: readonly (string | { readonly item: string; readonly states: 'nothing'; readonly reason: string })[];
}

const spec = fileURLToPath(new URL('../../spec/', import.meta.url));
const read = <T>(file: string): T => parse(readFileSync(`${spec}${file}`, 'utf8')) as T;

const outline = read<Section[]>('document.yaml');
const questions = read<Question[]>('open-questions.yaml');
const ruleFiles = readdirSync(`${spec}rules`).filter((name) => name.endsWith('.yaml'));
const rulesByFile = new Map(ruleFiles.map((name) => [name.replace('.yaml', ''), read<Rule[]>(`rules/${name}`)]));
const rules = [...rulesByFile.values()].flat();

const placeOf = ({ section, item }: Source): string => `${section} / ${item}`;
const sourcesOf = ({ source, also = [] }: Entry): string[] => [source, ...also].map(placeOf);
const labelOf = (item: Section['items'][number]): string => (typeof item === 'string' ? item : item.item);
const placesOf = (sections: readonly Section[]): string[] =>
  sections.flatMap(({ section, items }) => items.map((item) => placeOf({ section, item: labelOf(item) })));

/** Items that state something and are the source of no rule and no question. */
function missing(sections: readonly Section[], entries: readonly Entry[]): string[] {
  const covered = new Set(entries.flatMap(sourcesOf));
  const stating = sections.map(({ section, items }) => ({
    section,
    items: items.filter((item) => typeof item === 'string'),
  }));
  return placesOf(stating).filter((place) => !covered.has(place));
}

const twice = (names: readonly string[]): string[] => names.filter((name, index) => names.indexOf(name) !== index);
const namesOf = (wrong: readonly Entry[]): string[] => wrong.map(({ id }) => id);

const operationNames = new Set<string>(['*', 'authenticated', ...operations.map(({ name }) => name)]);
const versionNames = new Set<string>(['*', ...operations.map(({ version }) => version)]);

describe('the ledger', () => {
  test('has a rule or a question for every item of the API specification that states something', () => {
    expect(missing(outline, [...rules, ...questions])).toEqual([]);
  });

  test('notices when a rule is taken away', () => {
    const source = { section: 'List bookings', item: 'list 2' };
    const rest = rules.filter((rule) => !sourcesOf(rule).includes(placeOf(source)));
    expect(missing(outline, [...rest, ...questions])).toEqual([placeOf(source)]);
  });

  test('gives as sources only places that the API specification has', () => {
    const places = new Set(placesOf(outline));
    const astray = [...rules, ...questions].flatMap(sourcesOf).filter((place) => !places.has(place));
    expect(astray).toEqual([]);
  });

  test('says why an item states nothing, and has no rule from it', () => {
    const silent = outline.flatMap(({ section, items }) =>
      items.flatMap((item) =>
        typeof item === 'string' ? [] : [{ ...item, place: placeOf({ section, item: item.item }) }],
      ),
    );
    const covered = new Set([...rules, ...questions].flatMap(sourcesOf));
    expect(silent.filter(({ states, reason, place }) => states !== 'nothing' || !reason || covered.has(place))).toEqual(
      [],
    );
  });

  test('names every place once', () => {
    expect(twice(placesOf(outline))).toEqual([]);
  });
});

describe('ids', () => {
  const slug = /^[a-z]+(-[a-z]+)*(\.[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*)+$/;
  /** A digit names something: a version, an address line. Alone or behind a hyphen it would only count. */
  const position = /(^|[.-])\d+($|[.-])/;

  test.each([
    { given: 'bookings.list.future-only', want: true },
    { given: 'facilities.address.address1', want: true },
    { given: 'payment.v5.paused-message', want: true },
    { given: 'bookings.list.3', want: false },
    { given: 'bookings.rule-3', want: false },
    { given: 'Bookings.list', want: false },
    { given: 'bookings', want: false },
  ])('takes $given: $want', ({ given, want }) => {
    expect(slug.test(given) && !position.test(given)).toBe(want);
  });

  test('are slugs that do not count', () => {
    const ids = namesOf([...rules, ...questions]);
    expect(ids.filter((id) => !slug.test(id) || position.test(id))).toEqual([]);
  });

  test.each([
    { given: 'rules', entries: rules },
    { given: 'questions', entries: questions },
  ])('of $given are unique', ({ entries }) => {
    expect(twice(namesOf(entries))).toEqual([]);
  });

  test('begin with a resource that one file holds', () => {
    const homes: Readonly<Record<string, string>> = {
      dates: 'envelope',
      limits: 'envelope',
      auth: 'tokens',
      callback: 'search',
    };
    const strays = [...rulesByFile].flatMap(([file, list]) =>
      namesOf(list).filter((id) => (homes[id.split('.')[0]!] ?? id.split('.')[0]) !== file),
    );
    expect(strays).toEqual([]);
  });
});

describe('a rule', () => {
  const questionIds = new Set(namesOf(questions));
  const checks: readonly { want: string; broken: (rule: Rule) => boolean }[] = [
    { want: 'is stated, implied or open', broken: ({ basis }) => !['stated', 'implied', 'open'].includes(basis) },
    { want: 'is one sentence', broken: ({ statement }) => !/^[^\n]+\.$/.test(statement) || /\. [A-Z]/.test(statement) },
    {
      want: 'says what hides it, if and only if it is hidden',
      broken: ({ observable, unobservable }) => observable !== !unobservable,
    },
    {
      want: 'names a question when it is open',
      broken: ({ basis, question }) => basis === 'open' && !questionIds.has(question ?? ''),
    },
    {
      want: 'names no question unless it is open',
      broken: ({ basis, question }) => basis !== 'open' && question !== undefined,
    },
    {
      want: 'names operations that exist',
      broken: ({ operations: ops }) => ops.length === 0 || ops.some((name) => !operationNames.has(name)),
    },
    {
      want: 'names versions that exist',
      broken: ({ versions }) => versions?.length === 0 || versions?.some((name) => !versionNames.has(name)) === true,
    },
  ];

  test.each(checks)('$want', ({ broken }) => {
    expect(namesOf(rules.filter(broken))).toEqual([]);
  });
});

describe('a question', () => {
  test('names operations that exist', () => {
    expect(namesOf(questions.filter(({ operations: ops }) => ops.some((name) => !operationNames.has(name))))).toEqual(
      [],
    );
  });

  test('that is no switch says why', () => {
    expect(namesOf(questions.filter(({ kind, why }) => (kind === 'noted') !== Boolean(why)))).toEqual([]);
  });
});

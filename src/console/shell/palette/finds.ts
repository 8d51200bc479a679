import { useEffect, useState } from 'preact/hooks';
import { type AdminType, call } from '../../data/api.js';
import { useCall, useKept, useLoad } from '../../data/load.js';
import { hrefOf } from '../../data/route.js';
import { localWords } from '../../parts/time.js';

/** Something that the palette leads to. */
export interface Find {
  readonly title: string;
  readonly about: string;
  readonly href: string;
}

export type FindGroup = readonly [title: string, finds: readonly Find[]];

/** How many of a kind are shown. */
const MOST = 5;

type Sentence = { readonly id: string; readonly words: string };

/** A page of the console, as far as it can be found. */
export interface FoundPage {
  readonly id: string;
  readonly title: string;
  readonly group?: string;
}

/** What people look for on a page, where its title does not say it. */
const uses: Readonly<Record<string, string>> = {
  scenarios: 'failures, chaos',
  requests: 'why refused, compare, export',
  clock: 'freeze, move',
  state: 'snapshots, import, reset',
  conformance: 'check, explore',
};

/** Views that are no pages of their own. */
const views: readonly Find[] = [
  { title: 'Find a tee time', about: 'by day, players and price', href: hrefOf(['tee-sheet', 'found']) },
  { title: 'Replay a capsule', about: 'or open a HAR or a report', href: hrefOf(['requests', 'capsule']) },
];

/** What has all words of a text, by kind. Without a text, the pages. */
export function useFinds(text: string, pages: readonly FoundPage[]): readonly FindGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = useFoundByServer(words.join(' '));
  const { requests, scenarios } = useWhatThereIs();
  const { rules, questions } = useCatalogue();
  const matching = (finds: readonly Find[]) => {
    const all = finds.filter(({ title, about }) => has(`${title} ${about}`, words));
    const [named, told] = [all.filter(({ title }) => has(title, words)), all.filter(({ title }) => !has(title, words))];
    return [...named, ...told];
  };
  const pageFinds = pages.map(({ id, title, group = '' }) => ({ title, about: uses[id] ?? group, href: hrefOf([id]) }));
  if (words.length === 0) return [['Pages', pageFinds]];
  const groups: readonly FindGroup[] = [
    ['Pages', matching([...pageFinds, ...views])],
    ['Facilities', found.facilities.map(facilityFind)],
    ['Bookings', found.bookings.map(bookingFind)],
    ['Requests', matching(requests.map(requestFind))],
    ['Scenarios', matching(scenarios.map(({ id, title }) => sentenceFind({ id, words: title }, ['scenarios', id])))],
    ['Rules', matching(rules.map((rule) => sentenceFind(rule, ['requests'], { q: rule.id })))],
    ['Questions', matching(questions.map((question) => sentenceFind(question, ['dialect', question.id])))],
  ];
  return groups.map(([title, finds]) => [title, finds.slice(0, MOST)] as const).filter(([, finds]) => finds.length > 0);
}

function has(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}

/** What the server looks for, as there can be too many to read them all. */
function useFoundByServer(text: string) {
  const settled = useSettled(text);
  const query = settled === '' ? { limit: 1 } : { text: settled, limit: MOST };
  const facilities = useKept(call('GET', 'facilities', { query }));
  const bookings = useKept(call('GET', 'bookings', { query: { ...query, order: 'newest' } }));
  return { facilities: facilities.data?.facilities ?? [], bookings: bookings.data?.bookings ?? [] };
}

const SETTLED_MS = 120;

/** A text as it is while nobody types. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** What is read once and looked through here. */
function useWhatThereIs() {
  const { data } = useCall(call('GET', 'requests'));
  const scenarios = useCall(call('GET', 'scenarios'));
  return {
    requests: data && 'requests' in data ? data.requests.toReversed() : [],
    scenarios: scenarios.data?.scenarios ?? [],
  };
}

function useCatalogue(): { readonly rules: readonly Sentence[]; readonly questions: readonly Sentence[] } {
  const { data: catalogue } = useLoad(() => import('./catalogue.js'), []);
  return {
    rules: catalogue?.rules.map(({ id, statement }) => ({ id, words: statement })) ?? [],
    questions: catalogue?.questions.map(({ id, question }) => ({ id, words: question })) ?? [],
  };
}

function facilityFind({ facilityId, name, place, country }: AdminType<'FacilityList'>['facilities'][number]): Find {
  return {
    title: name,
    about: `${facilityId}, ${place}, ${country}`,
    href: hrefOf(['tee-sheet', String(facilityId)]),
  };
}

function bookingFind(booking: AdminType<'Booking'>): Find {
  const { bookingId, code, contactFirstName, contactLastName, startsAt, timeZone, facilityId } = booking;
  return {
    title: `${code} ${contactFirstName} ${contactLastName}`,
    about: `${localWords(startsAt, timeZone)}, facility ${facilityId}`,
    href: hrefOf(['bookings', bookingId]),
  };
}

function requestFind({ id, method, path, status, rule }: AdminType<'RequestSummary'>): Find {
  return {
    title: `${id} ${method} ${path}`,
    about: [status === 0 ? 'no response' : status, rule].filter(Boolean).join(', '),
    href: hrefOf(['requests', id]),
  };
}

function sentenceFind({ id, words }: Sentence, at: readonly string[], query = {}): Find {
  return { title: id, about: words.replaceAll('`', ''), href: hrefOf(at, query) };
}

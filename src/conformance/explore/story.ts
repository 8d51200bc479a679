import { creations } from '../client/operations.js';
import { owner } from '../journeys/tokens.js';
import type { TimelineRow } from './options.js';
import type { Walker } from './walker.js';
import { type BookStep, type SingleStep, spotName, type Step, type Walk, type Way, type Wrong } from './steps.js';

const versionOf = (form: 'product' | 'bulk' | 'round'): string =>
  creations.findLast((one) => one.form === form)!.version;

const ways: Readonly<Record<Way, string>> = {
  single: `by ${versionOf('product')}`,
  list: `by ${versionOf('product')} as a list`,
  details: `by ${versionOf('product')} as \`details\``,
  linked: `by ${versionOf('product')} as a linked group`,
  bulk: `by ${versionOf('bulk')} in bulk`,
  round: `by ${versionOf('round')}`,
};

const flaws: Readonly<Record<Wrong, string>> = {
  'tee time': 'with an unknown tee time',
  product: 'with an unknown product',
  players: 'with 5 players',
  contact: 'without a contact',
  email: 'without an email address',
  'extra product': 'with an unknown extra product',
};

/** A step as a sentence without its end. */
export function wordsOf(step: Step, walker: Pick<Walker, 'model' | 'session'>): string {
  if (step.do !== 'together') return sentenceOf(step, walker);
  return `At the same time: ${step.steps.map((one) => sentenceOf(one, walker)).join('; ')}`;
}

function sentenceOf(step: SingleStep, { model: { free }, session }: Pick<Walker, 'model' | 'session'>): string {
  switch (step.do) {
    case 'book':
      return bookingOf(step, free);
    case 'pay':
      return step.item === undefined
        ? `pay the group of booking ${step.of} by ${step.version}${byOther(step)}`
        : `pay booking ${step.of}.${step.item + 1} by ${step.version}${byOther(step)}`;
    case 'cancel':
      return `cancel booking ${step.of}.${step.item + 1}${byOther(step)}`;
    case 'list':
      return `list the bookings by ${step.version}${byWhom(step.as)}`;
    case 'sheet':
      return `read the ${step.version} tee sheet for ${step.players} of tee time ${spotName(step.spot)}`;
    case 'prices':
      return `read the price list of tee time ${spotName(step.spot)}`;
    case 'search':
      return `search tee time ${spotName(step.spot)} with a callback`;
    case 'refresh':
      return `refresh the token${byWhom(owner(session))}${step.again ? ', and send spent tokens again' : ''}`;
    case 'wait':
      return `wait ${step.ms} ms`;
  }
}

function bookingOf({ id, by, items, as }: BookStep, free: readonly number[]): string {
  const parts = items.map(({ spot, players, wrong, full }) => {
    const of = free[spot] === undefined ? '' : ` of ${free[spot]}`;
    const flaw = wrong === undefined ? '' : ` (${flaws[wrong]})`;
    return `${players}${of} slots of ${spotName(spot)}${full ? ' with all fields' : ''}${flaw}`;
  });
  return `book (${id}) ${parts.join(' and ')} ${ways[by]}${byWhom(as)}`;
}

function byOther(step: { readonly byOther?: true }): string {
  return step.byOther ? ' as the other channel' : '';
}

function byWhom(as: string): string {
  return as === 'first' ? '' : ' as the second channel';
}

/** A failing walk as numbered lines; the last one says what is wrong. */
export function storyOf({
  timeline,
  found,
}: {
  readonly timeline: readonly TimelineRow[];
  readonly found?: { readonly message: string };
}): readonly string[] {
  const lines = timeline.map(({ step, outcome }) => {
    const sentence = step.charAt(0).toUpperCase() + step.slice(1);
    return `${sentence}${outcome === '' || outcome === 'read' ? '' : `: ${outcome}`}.`;
  });
  return [...lines, ...(found ? [found.message] : [])].map((line, at) => `${at + 1}. ${line}`);
}

/** A walk as a Vitest file, which takes it again at a base URL, unless the environment names another one. */
export function testOf(
  walk: Walk,
  story: readonly string[],
  { baseUrl, allow }: { readonly baseUrl: string; readonly allow: readonly string[] },
): string {
  const lines = story.map((line) => `// ${line.replaceAll(/\s+/g, ' ')}`).join('\n');
  const title = JSON.stringify(story.at(-1)?.replace(/^\d+\. /, '') ?? 'a walk of teebox explore');
  return `import { expect, test } from 'vitest';
import { explore } from 'teebox/conformance';

${lines}
const walk = ${JSON.stringify(walk, null, 2)} as const;

test(${title}, async () => {
  const [username = '', password = ''] = (process.env['TEEBOX_BASIC'] ?? '').split(/:(.*)/s);
  const { verdict, message, findings } = await explore(fetch, {
    baseUrl: process.env['TEEBOX_BASE_URL'] ?? ${JSON.stringify(baseUrl)},
    first: { basic: { username, password } },
    now: Date.now,
    allow: ${JSON.stringify(allow)},
    again: walk,
  });
  expect(findings.map(({ story }) => story)).toEqual([]);
  expect(verdict, message).toBe('no-finding');
}, 120_000);
`;
}

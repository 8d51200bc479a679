import { durationText, isObject, parsedJson, readDuration } from '../../../common/index.js';
import type { AdminType } from '../../data/api.js';
import { type ListedScenario, phasesOf } from './catalogue.js';

export type PlanBody = AdminType<'PlanRequest'>;
type DelayValue = NonNullable<PlanBody['delay']>;

/** The options of a plan as they are typed. An empty text leaves an option out. */
export type PlanForm = Readonly<Record<(typeof names)[number], string>>;

const names = [
  'phase',
  'often',
  'times',
  'steps',
  'operation',
  'channel',
  'facilityId',
  'item',
  'delay',
  'after',
  'probability',
  'ttl',
  'match',
] as const;

/** A form with nothing chosen: the next matching request triggers the scenario. */
export const emptyForm: PlanForm = {
  ...(Object.fromEntries(names.map((name) => [name, ''])) as PlanForm),
  often: 'once',
};

/** A plan, or what is wrong with a field of its form. */
export interface PlanDraft {
  readonly plan: PlanBody;
  readonly faults: Readonly<Partial<Record<keyof PlanForm, string>>>;
}

/** What the form asks for. Options that are usual are left out. The API has the last word on the values. */
export function draftOf(scenario: ListedScenario, form: PlanForm): PlanDraft {
  const faults: Partial<Record<keyof PlanForm, string>> = {};
  const read = <Value>(name: keyof PlanForm, parse: (text: string) => Value | undefined, due: string) => {
    const text = form[name].trim();
    const value = text === '' ? undefined : parse(text);
    if (text !== '' && value === undefined) faults[name] = due;
    return value === undefined ? {} : { [name]: value };
  };
  const number = (name: keyof PlanForm) => read(name, numberIn, 'Write a number.');
  const text = (name: keyof PlanForm) => read(name, (word) => word, '');
  const often = {
    always: { times: 'always' },
    times: number('times'),
    steps: read('steps', stepsIn, 'Write fail and ok, separated by commas.'),
  };
  if (form.often !== 'times') delete faults.times;
  if (form.often !== 'steps') delete faults.steps;
  const options = {
    ...(form.phase === phasesOf(scenario)[0] ? {} : text('phase')),
    ...often[form.often as keyof typeof often],
    ...(form.often === 'steps' ? {} : number('after')),
    ...text('operation'),
    ...text('channel'),
    ...number('facilityId'),
    ...(scenario.perBooking ? number('item') : {}),
    ...read('delay', delayIn, 'Write a duration such as 250ms or 2s, uniform(100ms,2s) or lognormal(400ms,0.5).'),
    ...number('probability'),
    ...read('ttl', secondsIn, 'Write a duration of whole seconds, such as 90s, 10m or 2d.'),
    ...read('match', objectIn, 'Write a JSON object, such as {"players":2}.'),
  };
  return { plan: { scenario: scenario.id, ...options } as PlanBody, faults };
}

function numberIn(text: string): number | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function secondsIn(text: string): number | undefined {
  const seconds = (readDuration(text) ?? 0) / 1000;
  return Number.isInteger(seconds) && seconds > 0 ? seconds : undefined;
}

function stepsIn(text: string): readonly string[] | undefined {
  const words = text.split(/[\s,]+/).filter(Boolean);
  return words.every((word) => word === 'fail' || word === 'ok') ? words : undefined;
}

/** Reads a delay, written as in the header `Teebox-Scenario`. */
function delayIn(text: string): DelayValue | undefined {
  const [, kind, first = '', second = ''] = /^(uniform|lognormal)\(\s*([\w.]+)\s*,\s*([\w.]+)\s*\)$/.exec(text) ?? [];
  const [least, most] = [first, second].map(readDuration);
  if (kind === 'uniform') return least === undefined || most === undefined ? undefined : { uniform: [least, most] };
  if (kind === undefined) return readDuration(text);
  const sigma = Number(second);
  return least === undefined || Number.isNaN(sigma) ? undefined : { lognormal: { median: least, sigma } };
}

/** Writes a delay as in the header. */
export function delayText(delay: DelayValue): string {
  if (typeof delay === 'number') return durationText(delay);
  if ('uniform' in delay) return `uniform(${delay.uniform.map(durationText).join(',')})`;
  return `lognormal(${durationText(delay.lognormal.median)},${delay.lognormal.sigma})`;
}

function objectIn(text: string): Record<string, unknown> | undefined {
  const value = parsedJson(text);
  return isObject(value) ? value : undefined;
}

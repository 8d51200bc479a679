import { isObject } from '../../../conformance/index.js';
import { rules } from '../../../contract/index.js';

const documented = new Set(['success', 'data', 'message', ...rules.flatMap(({ field }) => field?.name ?? [])]);
/** How many elements of a list, and how many values of an answer, are looked at. */
const MAX_ELEMENTS = 5;
const MAX_VALUES = 2000;

/** What is special about the form of an answer. */
export interface AnswerForm {
  readonly hasUnknownFields: boolean;
  readonly hasNulls: boolean;
  readonly hasEmptyList: boolean;
}

const forms = new WeakMap<object, AnswerForm>();

/** The form of the data of an answer; the beginnings of its lists count. */
export function formOf(data: unknown): AnswerForm {
  if (typeof data !== 'object' || data === null) return read(data);
  let form = forms.get(data);
  if (!form) forms.set(data, (form = read(data)));
  return form;
}

function read(data: unknown): AnswerForm {
  const form = { hasUnknownFields: false, hasNulls: false, hasEmptyList: false };
  const rest: unknown[] = [data];
  for (let count = 0; rest.length > 0 && count < MAX_VALUES; count += 1) {
    const value = rest.pop();
    if (Array.isArray(value)) {
      form.hasEmptyList ||= value.length === 0;
      rest.push(...value.slice(0, MAX_ELEMENTS));
    } else if (isObject(value)) {
      form.hasUnknownFields ||= Object.keys(value).some((name) => !documented.has(name));
      form.hasNulls ||= Object.values(value).includes(null);
      rest.push(...Object.values(value));
    }
  }
  return form;
}

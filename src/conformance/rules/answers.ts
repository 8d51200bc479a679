import type { Reply } from '../client/exchange.js';

/** The answer to an unknown id, in the words of the open questions; undefined for any other answer. */
export function unknownAnswer({ status, ok, data, json }: Reply): 404 | 400 | 200 | 'empty' | undefined {
  if (status === 404 || status === 400) return status;
  if (status !== 200 || json === undefined) return undefined;
  if (!ok) return 200;
  return isEmpty(data) ? 'empty' : undefined;
}

/** Null, an empty list, and objects whose lists are empty. */
function isEmpty(data: unknown): boolean {
  if (data === null || data === undefined) return true;
  if (Array.isArray(data)) return data.length === 0;
  return typeof data === 'object' && Object.values(data).every(isEmpty);
}

/** All texts in a body that are not blank, at any depth. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Whether headers call a body JSON, or one of its relatives such as `application/problem+json`. */
export function areOfJson(headers: Headers): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers.get('content-type')?.trim() ?? '');
}

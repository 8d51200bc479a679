import { parsedJson } from '../../common/index.js';
import type { MadeResponse } from './journal.js';
import type { CapsuleResponse } from './capsule.js';

/** One difference between a response of a capsule and that of its replay. */
export interface ResponseDifference {
  /** `status`, `headers.teebox-rule`, `body.data[0].bookingId`, `body` for text, `response` for one that is missing. */
  readonly where: string;
  /** Undefined for nothing. */
  readonly expected: unknown;
  readonly got: unknown;
}

/** Maximum number of differences of one response. */
const MOST = 20;

/** Compares a response byte by byte; where bodies are JSON, the differences are listed by path. */
export function compareResponses(
  expected: CapsuleResponse | null,
  made: MadeResponse | undefined,
): ResponseDifference[] {
  if (!expected || !made) {
    return !expected && !made ? [] : [{ where: 'response', expected: expected?.status, got: made?.status }];
  }
  const found: ResponseDifference[] = [];
  if (expected.status !== made.status) found.push({ where: 'status', expected: expected.status, got: made.status });
  collect(expected.headers, { ...made.headers }, 'headers', found);
  compareBodies(expected, made, found);
  return found.slice(0, MOST);
}

function compareBodies(expected: CapsuleResponse, { body }: MadeResponse, found: ResponseDifference[]): void {
  if (expected.length !== undefined) {
    if (expected.length !== body.length)
      found.push({ where: 'body.length', expected: expected.length, got: body.length });
    return;
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const due = expected.text ?? JSON.stringify(expected.json);
  if (text === due) return;
  const before = found.length;
  const json = parsedJson(text);
  if ('json' in expected && json !== undefined) collect(expected.json, json, 'body', found);
  // The same values in another order or another form are other bytes.
  if (found.length === before) found.push({ where: 'body', expected: due, got: text });
}

/** The differences of two JSON values, by path. */
function collect(expected: unknown, got: unknown, where: string, found: ResponseDifference[]): void {
  if (expected === got || found.length >= MOST) return;
  const isPair = typeof expected === 'object' && typeof got === 'object' && expected !== null && got !== null;
  if (!isPair || Array.isArray(expected) !== Array.isArray(got)) {
    found.push({ where, expected, got });
    return;
  }
  const [one, other] = [expected, got] as Record<string, unknown>[];
  for (const name of new Set([...Object.keys(one!), ...Object.keys(other!)])) {
    const at = Array.isArray(expected) ? `${where}[${name}]` : `${where}.${name}`;
    collect(one![name], other![name], at, found);
  }
}

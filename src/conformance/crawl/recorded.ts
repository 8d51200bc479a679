/** The questions and answers of recorded traffic, as if a crawl had asked them. */
import { operationOf, readBody } from '../../contract/index.js';
import { onlyReads, type Param } from '../client/request.js';
import { readData } from '../client/reading.js';
import type { ArchivedExchange } from '../replay/archive.js';
import { readRecording } from '../replay/recorded-calls.js';
import type { Answered, Question } from './crawler.js';

/** What was asked of a deployment in a recording. Only reads of the first caller are here. */
export interface RecordedAnswers {
  readonly baseUrl: string;
  /** In the order of the recording. */
  readonly answers: readonly Answered[];
}

/**
 * The reads in recorded exchanges, each of which is taken out of their list.
 *
 * @param given The base URL; default: the one under which most requests are operations.
 */
export function answersIn(exchanges: ArchivedExchange[], given?: string): RecordedAnswers {
  const { baseUrl, calls } = readRecording(exchanges, given);
  const answers = calls.flatMap(({ call, exchange }): readonly Answered[] => {
    if (!('operation' in call) || (call.as ?? 'first') !== 'first' || !isOfWorld(call.operation)) return [];
    const { status, startedAt, durationMs } = exchange;
    const text = exchange.text ?? exchange.body?.text() ?? '';
    const { json, data, ok } = readBody(status, text);
    const question: Question = {
      operation: call.operation,
      params: typedParams(call.operation, call.params ?? {}),
      ...(call.breaking === undefined ? {} : { breaking: call.breaking }),
    };
    const read = ok ? readData(call.operation, data) : data;
    return [{ question, status, ok, json, data: read, text, at: startedAt + durationMs }];
  });
  return { baseUrl, answers };
}

/** Whether an operation reads something of the world. The bookings of anybody are none of its business. */
const isOfWorld = (operation: Question['operation']): boolean =>
  onlyReads(operation) && operationOf(operation).name !== 'listBookings';

/** Parameters with the types that a crawl gives them: a recording has texts. */
function typedParams(
  operation: Question['operation'],
  params: Readonly<Record<string, Param>>,
): Readonly<Record<string, Param>> {
  const kinds = new Map(operationOf(operation).parameters.map(({ name, kind }) => [name, kind]));
  const typed = Object.entries(params).map(([name, value]): [string, Param] => {
    const kind = kinds.get(name);
    if (kind === 'integer' && /^\d{1,15}$/.test(String(value))) return [name, Number(value)];
    if (kind === 'boolean' && /^(true|false)$/.test(String(value))) return [name, value === 'true'];
    return [name, value];
  });
  return Object.fromEntries(typed);
}

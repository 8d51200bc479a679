import { type ObligationId, type OperationId, matchOperation, readBody } from '../../contract/index.js';

/** One request of a client with its answer, unmasked. */
export interface ClientCall {
  /** Id of the exchange in reports. */
  readonly id: string;
  /** The world of the service that got it: the same for all, or a test of the client has one of its own. */
  readonly world?: string;
  /** Order of arrival in its world, from 0. */
  readonly turn: number;
  /** Epoch milliseconds on the service's clock, at arrival. */
  readonly at: number;
  /** Absent: no answer. */
  readonly answeredAt?: number;
  /** When it was over: answered, cut, or given up. It tells a retry from a parallel call. */
  readonly endedAt?: number;
  readonly method: string;
  /** Below the base URL, with its query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  /** The client sent a body that nobody has read: it is too long, or the client left in the middle of it. */
  readonly isBodyUnknown?: true;
  /** By method and path; undefined: the contract has none. */
  readonly operation: OperationId | undefined;
  /** The operation that answered, where a sandbox has one that the contract has not; not known at a proxy. */
  readonly undocumented?: string;
  /** Parameters of path and query, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** 0: no answer reached the client. */
  readonly status: number;
  readonly responseHeaders: Headers;
  /** Undefined: not kept, or cut. */
  readonly responseBody: string | undefined;
  /** What the sandbox did to it; not known at a proxy. `committed`: the change was made, though the answer failed. */
  readonly struck?: { readonly scenario: string; readonly committed: boolean };
  /** The test that sent it: the name in its header `Teebox-Test`. */
  readonly test?: string;
  /** Its test says that it sends a mistake on purpose. */
  readonly isDeliberate?: true;
  /** The number of calls that had arrived when it was over; not known at a proxy. Those of a lower turn overlap it. */
  readonly arrived?: number;
  /** A stable word for the credentials: the channel's name in a sandbox, a fingerprint at a proxy. */
  readonly channel?: string;
}

/** A callback: the result of a search, posted to the client. */
export interface ClientDelivery {
  readonly id: string;
  /** The world that posted it. */
  readonly world?: string;
  /** Id of the call that asked for it, if known. */
  readonly search: string | undefined;
  readonly url: string;
  readonly at: number;
  readonly answeredAt?: number;
  readonly body: string;
  /** 0: none, since nobody listened, or the answer came too late. */
  readonly status: number;
  /** Why there was no answer. */
  readonly why?: 'refused' | 'cut' | 'timeout';
  readonly struck?: { readonly scenario: string };
}

/** A call of a test, and its place among those of all tests. */
export interface TestCall {
  readonly id: string;
  readonly place: string;
  readonly nth: number;
}

/** What a client does when nothing goes wrong. The other exams are measured by it. */
export interface Usual {
  /** How often it sent each kind of request. */
  readonly sent: ReadonlyMap<string, number>;
  /** The kinds of its requests that were refused. */
  readonly refused: ReadonlySet<string>;
  /** How often it made each mistake that was refused, and taken for one on purpose. */
  readonly mistakes: ReadonlyMap<string, number>;
  /** What else its obligations note of it. */
  readonly habits: ReadonlySet<string>;
  /** The calls of its tests. */
  readonly tests: ReadonlyMap<string, readonly TestCall[]>;
}

/** Facts about a session that no call shows. They are known when the session ends. */
export interface SessionFacts {
  readonly exam?: string;
  /** The client ended by itself, and without an error. Absent: unknown. */
  readonly clientOk?: boolean;
  /** How the client failed: its exit code and the last line of its errors. */
  readonly clientSaid?: string;
  /** Whether nothing went wrong in this session. */
  readonly isHappy?: boolean;
  /** What the client did on the happy path, if that is known. */
  readonly usual?: Usual;
  /** Whether the program that runs the client's tests sends those again that fail. Absent: it was not asked. */
  readonly repeatsTests?: boolean;
  /** The last call of a test before it did something else than on the happy path. */
  readonly lastAsUsual?: string;
  /** The client did not end in the time that it had. */
  readonly hung?: boolean;
  /**
   * The obligation that a client breaks if it ends badly here: the exam varies nothing but the form of lawful answers,
   * and the same client ended well in the exam without variations.
   */
  readonly blames?: ObligationId;
}

/** The operation and the parameters of a request, by its method and its path below the base URL. */
export function placed(method: string, path: string): Pick<ClientCall, 'operation' | 'params'> {
  const match = matchOperation(method, path);
  if (!match) return { operation: undefined, params: {} };
  return { operation: match.operation.id, params: { ...Object.fromEntries(match.query), ...match.inPath } };
}

/** The header by which tests are told apart: `NAME`, or `NAME; deliberate` for a mistake on purpose. */
const TEST_HEADER = 'teebox-test';
const LONGEST_NAME = 200;

/** The test that sent a call, by its headers. */
export function testOf(headers: Headers): Pick<ClientCall, 'test' | 'isDeliberate'> {
  const text = headers.get(TEST_HEADER);
  if (text === null) return {};
  const at = text.lastIndexOf(';');
  const isMarked =
    at >= 0 &&
    text
      .slice(at + 1)
      .trim()
      .toLowerCase() === 'deliberate';
  const name = (isMarked ? text.slice(0, at) : text).trim();
  const isDeliberate = isMarked ? ({ isDeliberate: true } as const) : {};
  return { ...(name === '' ? {} : { test: name.slice(0, LONGEST_NAME) }), ...isDeliberate };
}

/** The path of a call without its query, which may hold personal data. */
export function pathnameOf({ path }: ClientCall): string {
  return path.split('?', 1)[0]!;
}

/** The query of a call, where `params` has only the last of several values. */
export function queryOf({ path }: ClientCall): URLSearchParams {
  const start = path.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : path.slice(start));
}

/** A reading of calls, deliveries or their parts that is made one time of each: many obligations ask for it. */
export function readOnce<Source extends object, Reading>(read: (source: Source) => Reading): typeof read {
  const known = new WeakMap<Source, Reading>();
  return (source) => {
    const before = known.get(source);
    if (before !== undefined || known.has(source)) return before as Reading;
    const reading = read(source);
    known.set(source, reading);
    return reading;
  };
}

/** The body of a request; undefined if it has none, or none that is JSON. */
export const requestJson = readOnce(({ body = '' }: ClientCall): unknown => readBody(0, body).json);

/** The body of an answer: `ok` says whether it reports success, `data` is that of the envelope. */
export const answerOf = readOnce(({ status, responseBody = '' }: ClientCall) => readBody(status, responseBody));

import type {
  Answers,
  GivenAnswers,
  QuestionId,
  VersionedQuestion,
} from '../../../src/contract/generated/questions.js';
import type { RuleId } from '../../../src/contract/generated/rule-basis.js';
import { open } from '../../support/client.js';

/** One post to a caller's address. */
export interface Post {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A sandbox with a receiver for its results; seconds of the sandbox's timers pass as milliseconds. */
export type Scene = Awaited<ReturnType<typeof open>> & {
  /** Results that arrived; a probe may take them away. */
  readonly posts: Post[];
  /** How long each timer was set, in milliseconds of the sandbox. */
  readonly delays: readonly number[];
  /** What the receiver answers; 204 unless a probe says otherwise. */
  receive: (init: RequestInit) => Promise<Response>;
};

export async function stage(answers: GivenAnswers): Promise<Scene> {
  const posts: Post[] = [];
  const delays: number[] = [];
  const receiver = { receive: async (_init: RequestInit) => new Response(null, { status: 204 }) };
  const opened = await open({
    dialect: { answers },
    fetch: (url, init) => {
      posts.push({ url, headers: new Headers(init.headers), body: String(init.body) });
      return receiver.receive(init);
    },
    schedule: (work, delay) => {
      delays.push(delay);
      const timer = setTimeout(work, delay / 1000);
      return () => clearTimeout(timer);
    },
  });
  return Object.assign(receiver, opened, { posts, delays });
}

/** What tells the options of a question apart from outside, and what is seen in each. */
export interface QuestionTable {
  readonly id: QuestionId;
  /** The version that it is about, where each version may answer differently. */
  readonly version?: string;
  /** Rules that this table exercises: those that the API specification leaves to this question alone. */
  readonly rules: readonly RuleId[];
  /** Answers to other questions that must hold for this one to be seen. */
  readonly also: GivenAnswers;
  readonly rows: readonly (readonly [option: unknown, sees: unknown])[];
  probe(scene: Scene): Promise<unknown>;
}

/** A probe knows nothing of the option in force; rows say what it sees in each. */
export function question<Id extends QuestionId>(
  id: Id,
  table: {
    readonly rules?: readonly RuleId[];
    readonly also?: GivenAnswers;
    readonly probe: (scene: Scene) => Promise<unknown>;
    readonly rows: readonly (readonly [option: Answers[Id], sees: unknown])[];
  },
): QuestionTable {
  return { id, rules: [], also: {}, ...table };
}

/** The same for one version of a question that each version may answer differently. */
export function questionPerVersion<Id extends VersionedQuestion, V extends keyof Answers[Id] & string>(
  id: Id,
  version: V,
  table: {
    readonly rules?: readonly RuleId[];
    readonly probe: (scene: Scene) => Promise<unknown>;
    readonly rows: readonly (readonly [option: Answers[Id][V], sees: unknown])[];
  },
): QuestionTable {
  return { id, version, rules: [], also: {}, ...table };
}

/** The same sight so many times. */
export function times<T>(count: number, seen: T): T[] {
  return Array.from({ length: count }, () => seen);
}

/** Asks a twin what a deployment was asked, and counts the answers that are the same. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Answered, prepare, type Question } from '../../conformance/index.js';
import { type OperationId, readBody, type WorldFile } from '../../contract/index.js';
import { basicCredentials, createSandbox, type DialectCard, type Sandbox } from '../../engine/index.js';
import { comparedAnswers } from './answers.js';

/** An answer of the deployment, kept in little room. */
export interface KeptAnswer extends Pick<Answered, 'question' | 'status' | 'ok' | 'at'> {
  readonly packed: Buffer;
}

/** Keeps an answer until the twin can be asked. */
export function keptAnswer({ question, status, ok, at, text }: Answered): KeptAnswer {
  return { question, status, ok, at, packed: deflateRawSync(text, { level: 1 }) };
}

/** The JSON and the payload of an answer that was kept. */
export const unpacked = ({ status, packed }: KeptAnswer): ReturnType<typeof readBody> =>
  readBody(status, inflateRawSync(packed).toString());

/** Answers that were compared. */
export interface Tally {
  /** All of them. */
  readonly asked: number;
  readonly same: number;
  /** Those that are the same but for the order of lists; they count as the same. */
  readonly reordered: number;
}

/** A field in which answers differ. */
export interface FieldDifference {
  readonly operation: OperationId;
  readonly field: string;
  /** How many answers differ in it. */
  readonly answers: number;
  /** An example: the path that was asked, and both values. */
  readonly example: { readonly path: string; readonly deployment: unknown; readonly twin: unknown };
}

/** How true a twin is. */
export interface ProofResult {
  /** The questions of the crawl. */
  readonly read: Tally;
  /** Questions that were asked of both sides only afterwards. */
  readonly other: Tally;
  readonly byOperation: Readonly<Record<string, Tally>>;
  /** What ended the comparison before all questions were asked. */
  readonly cut?: string;
  /** Those with the most answers first. */
  readonly differences: readonly FieldDifference[];
}

/** The share of the answers that are the same, in percent. */
export const shareOf = ({ asked, same }: Pick<Tally, 'asked' | 'same'>): number =>
  asked === 0 ? 0 : (same * 100) / asked;

/** Both parts together. */
export function totalOf({ read, other }: Pick<ProofResult, 'read' | 'other'>): Tally {
  return {
    asked: read.asked + other.asked,
    same: read.same + other.same,
    reordered: read.reordered + other.reordered,
  };
}

type Group = 'read' | 'other';
const ORIGIN = 'http://twin.invalid';

/** A comparison under way. */
export class Proof {
  readonly #counts = new Map<string, { asked: number; same: number; reordered: number }>();
  readonly #fields = new Map<string, { -readonly [K in keyof FieldDifference]: FieldDifference[K] }>();
  #clock = NaN;

  private constructor(readonly sandbox: Sandbox) {}

  /**
   * A twin of a world file, and nothing compared yet. How the deployment lets a channel log in, and how often it may ask, is no part
   * of an answer.
   */
  static async of(world: WorldFile, now: number): Promise<Proof> {
    const { answers = {}, ...card } = (world.dialect ?? {}) as DialectCard;
    const kept = Object.entries(answers).filter(([id]) => !/^(auth|token|rate-limit)\./.test(id));
    const dialect = { ...card, answers: Object.fromEntries(kept) };
    return new Proof(await createSandbox({ world, dialect, now, pure: true, magic: false }));
  }

  /** The answer of the twin to a question. */
  async ask(question: Question): Promise<{ readonly path: string; readonly response: Response }> {
    const { operation, params } = question;
    const { method, path } = prepare({ operation, params });
    const [channel] = this.sandbox.channels;
    const headers = { authorization: basicCredentials(channel!), accept: 'application/json' };
    return { path, response: await this.sandbox.fetch(new Request(ORIGIN + path, { method, headers })) };
  }

  /** Compares the answer of the deployment with that of the twin at the same time of day. */
  async compare(kept: KeptAnswer, group: Group): Promise<void> {
    const { question, status, ok, at } = kept;
    const second = Math.floor(at / 1000) * 1000;
    if (second !== this.#clock) await this.sandbox.clock.set(second);
    this.#clock = second;
    const { path, response } = await this.ask(question);
    const here = { status: response.status, ...readBody(response.status, await response.text()) };
    const there = { status, ok, json: unpacked(kept).json };
    const { differences, isReordered } = comparedAnswers(there, here);
    for (const key of [group, question.operation]) {
      const count = this.#counts.get(key) ?? { asked: 0, same: 0, reordered: 0 };
      this.#counts.set(key, count);
      count.asked += 1;
      if (differences.length > 0) continue;
      count.same += 1;
      if (isReordered) count.reordered += 1;
    }
    for (const field of new Set(differences.map((one) => one.field))) {
      const { there: deployment, here: twin } = differences.find((one) => one.field === field)!;
      const key = `${question.operation} ${field}`;
      const known = this.#fields.get(key);
      if (known) known.answers += 1;
      else
        this.#fields.set(key, {
          operation: question.operation,
          field,
          answers: 1,
          example: { path, deployment, twin },
        });
    }
  }

  result(): ProofResult {
    const none = { asked: 0, same: 0, reordered: 0 };
    const { read = none, other = none, ...rest } = Object.fromEntries(this.#counts);
    const operations = Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1));
    const differences = [...this.#fields.values()].sort(
      (a, b) => b.answers - a.answers || (a.operation + a.field < b.operation + b.field ? -1 : 1),
    );
    return { read, other, byOperation: Object.fromEntries(operations), differences };
  }
}

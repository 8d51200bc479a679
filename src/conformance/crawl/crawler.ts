/** Asks a deployment questions that only read, several at a time. */
import type { OperationId, RuleId } from '../../contract/index.js';
import type { Exchange, Reply } from '../client/exchange.js';
import { Inconclusive } from '../client/outcome.js';
import { keyOf, type Param } from '../client/request.js';
import { type Run, Session } from '../client/session.js';
import { PARALLEL, type RunOptions } from '../run/check-options.js';
import { connect } from '../run/target/connect.js';
import { openRun } from '../run/target/open-run.js';

/** A request that reads, by its operation and parameters. */
export interface Question {
  readonly operation: OperationId;
  readonly params: Readonly<Record<string, Param>>;
  /** The rule that it breaks on purpose. */
  readonly breaking?: RuleId;
}

/** The answer of a deployment to a question. */
export interface Answered extends Pick<Reply, 'status' | 'ok' | 'json' | 'text'> {
  readonly question: Question;
  /** The payload, with values of the types that the contract has as far as they can be read. */
  readonly data: unknown;
  /** When it was complete on the clock of the deployment, in epoch milliseconds. */
  readonly at: number;
}

/** A question that got no answer, and why. */
export interface Unanswered {
  readonly question: Question;
  readonly why: string;
}

/** What tells a question from others. */
export const keyOfQuestion = ({ operation, params }: Question): string => keyOf({ operation, params });

/** The most bytes of answers on their way: each is let go as soon as it has been looked at. */
const MOST_EVIDENCE = 256 * 1024 * 1024;
/** Answers after which those that were looked at are let go. */
const MOST_KEPT = 40;

/** The way to a deployment for questions alone. */
export class Crawler {
  readonly run: Run;
  readonly #width: number;
  readonly #start: ReturnType<Run['transport']['mark']>;

  constructor(options: RunOptions) {
    const onExchange = (exchange: Exchange): void => options.onEvent?.({ type: 'exchange', exchange });
    // A crawl reads, whatever else the run around it may do.
    const { allow: _, receiver: __, depth: ___, ...reading } = options;
    this.run = openRun({ ...reading, maxEvidence: MOST_EVIDENCE }, onExchange, { rereads: true, mostBody: 2000 });
    this.#width = options.rehearse ? 1 : (options.parallel ?? PARALLEL);
    this.#start = this.run.transport.mark();
  }

  /**
   * The first requests.
   *
   * @throws {NoDeployment} if there is no deployment, or it refuses the credentials.
   */
  connect(): Promise<void> {
    return connect(new Session(this.run));
  }

  /** Requests sent so far. */
  get requests(): number {
    return this.run.transport.requests;
  }

  /** The present time of the deployment in epoch milliseconds. */
  get now(): number {
    return new Session(this.run).now;
  }

  /**
   * Asks one question.
   *
   * @throws {NotAllowed} if the run has come to its end; {@link NoDeployment} if the deployment no longer accepts the credentials.
   */
  async ask(question: Question): Promise<Answered | Unanswered> {
    const { transport, host } = this.run;
    const { operation, params, breaking } = question;
    try {
      const reply = await transport.send({ operation, params, ...(breaking === undefined ? {} : { breaking }) });
      if (transport.replies.length > MOST_KEPT) transport.forgetSince(this.#start);
      const { status, ok, json, data, text } = reply;
      return { question, status, ok, json, data, text, at: reply.at + this.now - host.now() };
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      return { question, why: transport.masker.text(error.missing) };
    }
  }

  /**
   * Asks several questions, some of them at a time.
   *
   * @param take Called with each answer as it comes.
   * @throws {NotAllowed} see {@link ask}; what was answered until then has been taken.
   */
  async askAll(questions: Iterable<Question>, take: (answer: Answered | Unanswered) => void): Promise<void> {
    const left = questions[Symbol.iterator]();
    let isOver = false;
    const lane = async (): Promise<void> => {
      for (let next = left.next(); !next.done && !isOver; next = left.next()) {
        try {
          take(await this.ask(next.value));
        } catch (error) {
          isOver = true;
          throw error;
        }
      }
    };
    const lanes = await Promise.allSettled(Array.from({ length: this.#width }, lane));
    const failed = lanes.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  }
}

import type { adminComponents as components, ObligationId } from '../contract/index.js';
import { obligationOf } from './obligations/obligation.js';
import type { ObligationResult } from './obligations/client-checker.js';
import type { CertifyEvent } from './certify-options.js';

/** What the admin API and the console show of a certification that is under way. */
export type CertificationProgress = components['schemas']['CertificationProgress'];

type ProgressExam = CertificationProgress['exams'][number];
type ProgressObligation = CertificationProgress['obligations'][number];

interface ExamOnTheWay {
  readonly shown: Omit<ProgressExam, 'state' | 'calls' | 'callbacks' | 'broken' | 'baseUrl'>;
  state: ProgressExam['state'];
  baseUrl?: string;
  calls: number;
  callbacks: number;
  results(): readonly ObligationResult[];
}

/** Keeps the progress of a certification, and tells followers when it changes. */
export class CertifyProgress {
  readonly #exams = new Map<string, ExamOnTheWay>();
  readonly #followers = new Set<() => void>();
  #obligations: readonly ObligationId[] = [];
  #message: string | undefined;

  /** @param startedAt When the certification began, in ISO 8601. */
  constructor(readonly startedAt: string) {}

  onEvent(event: CertifyEvent): void {
    if (event.type === 'start') {
      this.#obligations = event.obligations as readonly ObligationId[];
      for (const { id, title, does } of event.exams) {
        const shown = { id, title, does };
        this.#exams.set(id, { shown, state: 'waiting', calls: 0, callbacks: 0, results: () => [] });
      }
    } else if (event.type === 'skipped') for (const { id } of event.skipped) this.#exams.delete(id);
    else if (event.type === 'end') this.#message = event.certification.message;
    else this.#note(event, this.#exams.get(event.exam)!);
    for (const tell of this.#followers) tell();
  }

  #note(event: Exclude<CertifyEvent, { type: 'start' | 'skipped' | 'end' }>, exam: ExamOnTheWay): void {
    if (event.type === 'call') exam.calls += 1;
    if (event.type === 'delivery') exam.callbacks += 1;
    if (event.type !== 'exam') return;
    if (event.state === 'begun') {
      const { baseUrl, results } = event;
      Object.assign(exam, { state: 'running', baseUrl, results });
    } else Object.assign(exam, { state: 'ended', results: () => event.results });
  }

  /** Calls back at each change, until the returned function is called. */
  follow(tell: () => void): () => void {
    this.#followers.add(tell);
    return () => void this.#followers.delete(tell);
  }

  get exams(): number {
    return this.#exams.size;
  }

  get now(): CertificationProgress {
    const seen = [...this.#exams.values()].map((exam) => ({ exam, results: exam.results() }));
    const obligations = this.#obligations.map((id) => obligationIn(id, seen));
    const count = (verdict: ProgressObligation['verdict']): number =>
      obligations.filter((one) => one.verdict === verdict).length;
    return {
      state: this.#message === undefined ? 'running' : 'ended',
      ...(this.#message === undefined ? {} : { message: this.#message }),
      startedAt: this.startedAt,
      counts: { pass: count('pass'), fail: count('fail'), 'not-seen': count('not-seen') },
      exams: seen.map(({ exam, results }) => examShown(exam, results)),
      obligations,
    };
  }
}

function examShown({ shown, state, baseUrl, calls, callbacks }: ExamOnTheWay, results: readonly ObligationResult[]) {
  const broken = results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  return { ...shown, state, ...(baseUrl === undefined ? {} : { baseUrl }), calls, callbacks, broken };
}

/** An obligation over all exams so far: a failure in one decides, and otherwise a pass in one. */
function obligationIn(
  id: ObligationId,
  seen: readonly { readonly exam: ExamOnTheWay; readonly results: readonly ObligationResult[] }[],
): ProgressObligation {
  const { statement, severity, basis, source, reason, toSee } = obligationOf(id);
  const known = { id, statement, severity, basis, ...(source && { source }), ...(reason !== undefined && { reason }) };
  const own = seen.flatMap(({ exam, results }) => {
    const result = results.find((one) => one.id === id);
    return result ? [{ exam: exam.shown.id, result }] : [];
  });
  for (const verdict of ['fail', 'pass'] as const) {
    const deciding = own.filter(({ result }) => result.verdict === verdict);
    if (deciding.length === 0) continue;
    const { message, expected } = deciding[0]!.result;
    const said = message === undefined || expected === undefined ? {} : { message, expected };
    return { ...known, verdict, exams: deciding.map(({ exam }) => exam), ...said };
  }
  return { ...known, verdict: 'not-seen', exams: [], toSee };
}

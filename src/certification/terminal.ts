import { counted, visible, withoutCommand } from '../common/index.js';
import { painter, secondsText, summarize, type TerminalOptions, withTexts } from '../conformance/index.js';
import type { Certification, ObligationVerdict } from './certification.js';
import type { CertifyEvent } from './certify-options.js';
import { happyDay } from './exams/happy-day.js';
import { byReason, certifyReport } from './report.js';

/** Shows the progress of a certification, and a summary for people: findings and verdict last, where they are seen. */
export class CertifyTerminal {
  #exams = 0;
  #ended = 0;
  #calls = 0;
  #broken = new Set<string>();
  #calling = new Map<string, number>();
  /** How long the happy path took, until it is told how long the others will take. */
  #measured: number | undefined;

  /**
   * @param tell Writes a line while the exams go on.
   * @param jobs The number of exams that run at the same time.
   */
  constructor(
    readonly options: TerminalOptions,
    readonly tell: (line: string) => void,
    readonly jobs = 1,
  ) {}

  onEvent(event: CertifyEvent): void {
    if (event.type === 'start') this.#exams = event.exams.length;
    if (event.type === 'skipped') this.#skipped(event);
    if (event.type === 'call') {
      this.#calls += 1;
      this.#calling.set(event.exam, (this.#calling.get(event.exam) ?? 0) + 1);
    }
    if (event.type === 'breach') this.#breach(event);
    if (event.type === 'exam' && event.state === 'begun') this.#expect();
    if (event.type === 'exam' && event.state === 'ended') this.#examEnded(event);
    if (event.type === 'end')
      summarize(certifyReport(withTexts(event.certification, visible) as Certification), this.options);
    else this.#progress(event);
  }

  #progress(event: Exclude<CertifyEvent, { type: 'end' }>): void {
    const exam = 'exam' in event ? event.exam : '';
    const parts = [`${this.#ended}/${this.#exams} exams`, counted(this.#calls, 'call')];
    this.options.progress?.([...parts, `${this.#broken.size} violated`, exam].join(', '));
  }

  #skipped({ skipped }: Extract<CertifyEvent, { type: 'skipped' }>): void {
    this.#exams -= skipped.length;
    for (const [why, ids] of byReason(skipped)) {
      this.#line('not-seen', 'skipped', `${counted(ids.length, 'exam')}: ${why}`);
    }
  }

  /** Each obligation is told of one time: a client breaks many in one exam after the other. */
  #breach({ exam, breach }: Extract<CertifyEvent, { type: 'breach' }>): void {
    if (this.#broken.has(breach.id)) return;
    this.#broken.add(breach.id);
    this.#line('fail', 'violated', `${breach.id} in ${exam}: ${breach.message}`);
  }

  /** Says before the second exam how long the rest will take, as the happy path did. */
  #expect(): void {
    if (this.#measured === undefined) return;
    const [left, each] = [this.#exams - this.#ended, this.#measured];
    const all = (each * left) / Math.min(this.jobs, left);
    const beside = this.jobs > 1 ? ` and ${this.jobs} at a time` : '';
    const words = all < 60_000 ? secondsText(Math.round(all)) : `${Math.ceil(all / 60_000)} min`;
    this.options.progress?.('');
    this.tell(`${counted(left, 'more exam')}, which will take about ${words} at ${secondsText(each)} each${beside}.`);
    this.#measured = undefined;
  }

  #examEnded({ exam, results, client, durationMs }: Extract<CertifyEvent, { type: 'exam'; state: 'ended' }>): void {
    this.#ended += 1;
    if (exam === happyDay.id) this.#measured = durationMs;
    const broken = results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    const calls = this.#calling.get(exam) ?? 0;
    const [verdict, word] = broken.length > 0 ? (['fail', 'FAIL'] as const) : (['pass', 'ok'] as const);
    const own = client.ok !== false ? '' : `; your tests: ${client.said ?? 'failed'}`;
    const told = `${exam} (${this.#ended}/${this.#exams}), ${counted(calls, 'call')}${broken.map((id) => `, ${id}`).join('')}${own}`;
    if (calls > 0) this.#line(verdict, word, told);
    else this.#line('not-seen', 'no calls', told);
  }

  /** Only the colours of this reporter are left as controls. */
  #line(verdict: ObligationVerdict, word: string, text: string): void {
    this.options.progress?.('');
    this.tell(withoutCommand(`${painter(this.options)(verdict, word)} ${visible(text)}`));
  }
}

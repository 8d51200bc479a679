import { visible, withoutCommand } from '../../common/index.js';
import {
  count,
  paintedText,
  terminalSection as section,
  type TerminalOptions,
  withTexts,
} from '../../conformance/index.js';
import type { Certification, CertifiedObligation, ObligationVerdict } from '../certification.js';
import type { CertifyEvent } from '../certify-options.js';
import {
  clientFailures,
  detailsOf,
  evidenceOf,
  exchangeLine,
  failuresOf,
  figuresOf,
  obligationsWith,
} from './findings.js';

const colours: Readonly<Record<ObligationVerdict, number>> = { fail: 31, 'not-seen': 36, pass: 32 };
/** Requests that a failure shows on a terminal. Reports in files have more. */
const MOST_REQUESTS = 6;

/** Shows the progress of a certification, and a summary for people: failures first. */
export class CertifyTerminal {
  #exams = 0;
  #ended = 0;
  #calls = 0;
  #broken = new Set<string>();
  #calling = new Map<string, number>();

  /** @param tell Writes a line while the exams go on. */
  constructor(
    readonly options: TerminalOptions,
    readonly tell: (line: string) => void,
  ) {}

  onEvent(event: CertifyEvent): void {
    if (event.type === 'start') this.#exams = event.exams.length;
    if (event.type === 'call') {
      this.#calls += 1;
      this.#calling.set(event.exam, (this.#calling.get(event.exam) ?? 0) + 1);
    }
    if (event.type === 'breach') this.#breach(event);
    if (event.type === 'exam' && event.state === 'ended') this.#examEnded(event);
    if (event.type === 'end') this.#summarize(event.certification);
    else this.#progress(event);
  }

  #progress(event: Exclude<CertifyEvent, { type: 'end' | 'start' }> | Extract<CertifyEvent, { type: 'start' }>): void {
    const exam = 'exam' in event ? event.exam : '';
    const parts = [`${this.#ended}/${this.#exams} exams`, count(this.#calls, 'call', 'calls')];
    this.options.progress?.([...parts, `${this.#broken.size} broken`, exam].join(', '));
  }

  /** Each obligation is told of one time: a client breaks many in one exam after the other. */
  #breach({ exam, breach }: Extract<CertifyEvent, { type: 'breach' }>): void {
    if (this.#broken.has(breach.id)) return;
    this.#broken.add(breach.id);
    this.#line('fail', 'broken', `${breach.id} in ${exam}: ${breach.message}`);
  }

  #examEnded({ exam, results, client }: Extract<CertifyEvent, { type: 'exam'; state: 'ended' }>): void {
    this.#ended += 1;
    const broken = results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    const calls = this.#calling.get(exam) ?? 0;
    const [verdict, word] = broken.length > 0 ? (['fail', 'FAIL'] as const) : (['pass', 'ok'] as const);
    const own = client.ok !== false ? '' : `; your tests: ${client.said ?? 'failed'}`;
    const told = `${exam} (${this.#ended}/${this.#exams}), ${count(calls, 'call', 'calls')}${broken.map((id) => `, ${id}`).join('')}${own}`;
    if (calls > 0) this.#line(verdict, word, told);
    else this.#line('not-seen', 'no calls', told);
  }

  /** Only the colours of this reporter are left as controls. */
  #line(verdict: ObligationVerdict, word: string, text: string): void {
    this.options.progress?.('');
    this.tell(withoutCommand(`${this.#paint(verdict, word)} ${visible(text)}`));
  }

  #summarize(given: Certification): void {
    this.options.progress?.('');
    const certification = withTexts(given, visible) as Certification;
    for (const text of this.#summary(certification)) this.options.line(withoutCommand(text));
  }

  #summary(certification: Certification): string[] {
    const { message, verdict, exitCode, stale, counts, skipped, digest } = certification;
    const unseen = obligationsWith(certification, 'not-seen').map(({ id, toSee = '' }) => `${id}: ${toSee}`);
    const numbers = Object.entries(counts).filter(([, number]) => number > 0) as [ObligationVerdict, number][];
    return [
      '',
      ...failuresOf(certification).flatMap((result) => this.#failure(result, certification)),
      ...section('Not seen; to see it', unseen, Infinity),
      ...section(
        "The client's own tests failed (many exams make calls fail on purpose)",
        clientFailures(certification),
        Infinity,
      ),
      ...section('In the baseline, but no longer failing', stale),
      ...section(
        'Exams not taken',
        skipped.map(({ id, why }) => `${id}: ${why}`),
        Infinity,
      ),
      numbers.map(([name, number]) => this.#paint(name, `${number} ${name}`)).join(', '),
      `${figuresOf(certification)}; digest ${digest.slice(0, 12)}`,
      this.#paint(exitCode === 0 ? 'pass' : 'fail', `${verdict}: ${message}`),
    ];
  }

  #failure(result: CertifiedObligation, certification: Certification): string[] {
    const { id, known } = result;
    const shown = evidenceOf(result, certification);
    const more = shown.length - MOST_REQUESTS;
    return [
      `${this.#paint('fail', 'FAIL')} ${id}${known ? ' (known)' : ''}`,
      ...detailsOf(result, certification).map(([label, text]) => `  ${`${label.toLowerCase()}:`.padEnd(11)} ${text}`),
      ...shown.slice(0, MOST_REQUESTS).map((one) => `  request:    ${exchangeLine(one)}`),
      ...(more > 0 ? [`  and ${more} more requests; see --report html=FILE`] : []),
      '',
    ];
  }

  #paint(verdict: ObligationVerdict, text: string): string {
    return this.options.colour ? paintedText(text, colours[verdict]) : text;
  }
}

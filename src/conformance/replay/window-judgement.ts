import type { Exchange } from '../client/exchange.js';
import { NotAllowed } from '../client/outcome.js';
import { plainText } from '../client/kept-body.js';
import { bodyKept, learnTokens, responseOf } from '../client/recording.js';
import type { OperationCall } from '../client/request.js';
import type { Run } from '../client/session.js';
import type { Host, RuleResult } from '../client/types.js';
import type { RuleSpec } from '../rules/rule.js';
import { selectRules } from '../run/check.js';
import { Evidence } from '../run/evidence.js';
import { verdictSettingsOf } from '../run/judge.js';
import type { ArchivedExchange } from './archive.js';
import type { RecordedCall } from './recorded-calls.js';
import { judgeRecorded, RecordedTransport, recordedRun, takeDelivery } from './recorded-transport.js';
import type { ReplayOptions } from './replay.js';

/** The options of a live replay. */
export interface LiveReplayOptions extends Omit<ReplayOptions, 'archive' | 'baseUrl' | 'onEvent' | 'rules'> {
  /** The base URL of the deployment. */
  readonly baseUrl: string;
  /** The most exchanges that are judged together; default 1000. */
  readonly window?: number;
  readonly host: Pick<Host, 'now'>;
  /** Takes each exchange as reports show it, in order. */
  readonly onExchange?: (exchange: Exchange) => void;
}

/** Why an exchange has to wait for a window of its own. */
export const NO_ROOM = 'there is no room for it (--max-evidence)';

/** An exchange of a window: a call of the client, or the result of a search. */
export type WindowEntry =
  { readonly id: string; readonly call: RecordedCall } | { readonly id: string; readonly delivery: ArchivedExchange };

/** The judgement of one window. */
export class WindowJudgement {
  readonly transport: RecordedTransport;
  readonly run: Run;
  readonly evidence: Evidence;
  readonly selected: readonly RuleSpec[];
  readonly written: number;

  constructor(readonly options: LiveReplayOptions) {
    const { baseUrl, maxEvidence, host, showPersonalData } = options;
    this.transport = new RecordedTransport({ baseUrl, maxEvidence }, host, () => {});
    if (showPersonalData) this.transport.masker.personal = undefined;
    this.run = recordedRun(this.transport);
    this.evidence = new Evidence(this.run);
    const { selected, written } = selectRules(options, () => this.evidence);
    this.selected = selected;
    this.written = written;
  }

  /** Adds an exchange to the evidence; says why where it cannot. */
  add(one: WindowEntry, isShown: boolean): string | undefined {
    if ('delivery' in one) {
      try {
        takeDelivery(this.run, one.delivery, one.id);
        return undefined;
      } catch (error) {
        if (error instanceof NotAllowed) return NO_ROOM;
        throw error;
      }
    }
    const [refused] = this.transport.take(one.call, one.id, isShown);
    return refused && (refused.reason === 'evidence' ? NO_ROOM : refused.why);
  }

  /** Lets go of exchanges that are no longer compared with new ones. */
  forget(old: readonly WindowEntry[]): void {
    const calls = old.filter((one) => 'call' in one).length;
    this.transport.forget(calls);
    this.run.results.splice(0, old.length - calls);
    this.evidence.forget(old.map(({ id }) => id));
  }

  /** An exchange as reports show it, whether it is judged or not. */
  shownAs(exchange: ArchivedExchange, id: string, call?: OperationCall): Exchange {
    const { method, url, requestHeaders, requestBody, status, headers, text, startedAt, durationMs } = exchange;
    const { masker } = this.transport;
    learnTokens(masker, status, text);
    const body = requestBody === undefined ? {} : { body: bodyKept(masker, requestBody) };
    return {
      id,
      ...(call ? { operation: call.operation } : {}),
      caller: requestHeaders.has('authorization') ? 'first' : 'nobody',
      startedAt: new Date(startedAt).toISOString(),
      durationMs,
      request: { method, url: masker.text(url), headers: masker.headers(requestHeaders), ...body },
      ...(status === 0
        ? { failure: 'no answer' }
        : { response: { ...responseOf(masker, { status, headers }, plainText(text ?? '')), ...lengthIn(exchange) } }),
    };
  }

  async results(): Promise<readonly RuleResult[]> {
    // A rule may have asked before for what was recorded only since.
    this.run.memo.clear();
    const how = verdictSettingsOf(this.options);
    const results: RuleResult[] = [];
    for (const spec of this.selected) {
      const result = await judgeRecorded(spec, this.run, this.transport, this.evidence, how);
      if (result.reason !== 'replayed') results.push(result);
    }
    return results;
  }
}

/** The length of a body that was not kept. */
function lengthIn({ text, size }: ArchivedExchange): { readonly length?: number } {
  return text === undefined && size > 0 ? { length: size } : {};
}

import type { RunOptions } from '../../../src/conformance/run/check-options.js';
import type { Severity } from '../../../src/conformance/client/report-parts.js';
import { ruleOf } from '../../../src/conformance/rules/rule.js';
import {
  type CheckEvent,
  permissions,
  type RuleBasis,
  type RuleResult,
  type Verdict,
} from '../../../src/conformance/client/types.js';
import type { RuleId } from '../../../src/contract/generated/rule-basis.js';
import type { Sandbox, SandboxOptions } from '../../../src/engine/library.js';
import { type Delivery, type Deployment, deploy } from '../deployment.js';
import { Recorder } from '../../../src/conformance/report/recorder.js';
import type { Mutant } from './mutant.js';
import { noting, strayOf } from './sides.js';

/** What became of a mutant. */
export interface Outcome {
  readonly rule: RuleId;
  readonly basis: RuleBasis;
  readonly defect: string;
  readonly verdict: Verdict;
  /** What the rule said instead, where it did not find the defect. */
  readonly survived?: string;
}

/** What became of a mutant, and whether the finding has a request that shows the defect. */
interface Trial {
  readonly outcome: Outcome;
  /** The request that the finding repeats, where neither it nor the one beside it meets the defect. */
  readonly astray?: string;
}

/** The verdict that finds a defect. */
function findingOf(rule: RuleId): Verdict {
  const { basis, severity } = ruleOf(rule) as { basis: RuleBasis; severity: Severity };
  if (basis === 'open') return 'observed';
  return basis === 'implied' && severity === 'minor' ? 'warn' : 'fail';
}

type Altering = Pick<Mutant, 'layer' | 'delivery' | 'posting'>;

/** One deployment for many runs that only read, with its answers kept; whoever writes to it uses it up. */
class Shared {
  readonly #answers = new Map<string, { readonly status: number; readonly headers: Headers; readonly text: string }>();
  used = false;

  readonly #settings: SandboxOptions;
  #defect: Altering | undefined;
  #deployment: Promise<Deployment> | undefined;

  constructor(settings: SandboxOptions) {
    this.#settings = settings;
  }

  /** Runs the suite, with a defect or without; a search reaches the shared one only in turn, as runs do. */
  async check(defect: Altering | undefined, changes: Partial<RunOptions>): Promise<readonly RuleResult[]> {
    this.#deployment ??= deploy(this.#settings, undefined, (posted, deliver) => this.#post(posted, deliver));
    const { options, sandbox, check } = await this.#deployment;
    this.#defect = defect;
    const [first, second] = sandbox.channels.map(({ username, password, refreshToken }) => ({
      basic: { username, password },
      refreshToken,
    }));
    const through = (request: Request): Promise<Response> => this.#answer(request, sandbox);
    const fetch = (request: Request): Promise<Response> => (defect ? defect.layer(request, through) : through(request));
    const host = { ...options.host, fetch };
    const report = await check({
      host,
      first: first!,
      second: second!,
      allow: permissions,
      depth: 'quick',
      ...changes,
    });
    if (report.rules.length === 0) throw new Error(report.message);
    return report.rules;
  }

  #post(...[posted, deliver]: Parameters<Delivery>): Promise<number> {
    const { delivery, posting } = this.#defect ?? {};
    if (delivery) posted.text = JSON.stringify(delivery(JSON.parse(posted.text)));
    return posting ? posting(posted, deliver) : deliver(posted);
  }

  async #answer(request: Request, sandbox: Sandbox): Promise<Response> {
    const searches = request.url.includes('callbackUrl=');
    const reads = request.method === 'GET' && !request.url.includes('/payment');
    if (!reads) this.used = true;
    if (searches || this.used) return sandbox.fetch(request);
    const key = `${request.url} ${JSON.stringify([...request.headers].filter(([name]) => name !== 'user-agent'))}`;
    let kept = this.#answers.get(key);
    if (!kept) {
      const response = await sandbox.fetch(request);
      kept = { status: response.status, headers: response.headers, text: await response.text() };
      this.#answers.set(key, kept);
    }
    const { status, headers, text } = kept;
    return new Response(text, { status, headers });
  }
}

let usual = new Shared({});

/** Runs the rule of a mutant against it, or against the deployment without the defect. */
async function judged(
  { rule, settings, options }: Mutant,
  defect?: Altering,
  recorder?: Recorder,
): Promise<RuleResult> {
  const shared = settings ? new Shared(settings) : usual;
  try {
    const onEvent = (event: CheckEvent): void => recorder?.onEvent(event);
    const rules = await shared.check(defect, { only: [rule], ...options, onEvent });
    return rules.find(({ id }) => id === rule)!;
  } finally {
    if (usual.used) usual = new Shared({});
  }
}

const said = ({ verdict, message, missing, answers, actual }: RuleResult): string =>
  [verdict, answers ? JSON.stringify(answers) : message, missing, JSON.stringify(actual)].filter(Boolean).join(': ');

/** By rule and options: a run that goes further may say something else. */
const controls = new Map<string, RuleResult>();

/** What the rule says where the defect is not. */
async function control(mutant: Mutant): Promise<RuleResult> {
  const { rule, layer, settings, options } = mutant;
  if (settings) return judged(mutant);
  const key = `${rule} ${JSON.stringify(options)}`;
  let known = controls.get(key);
  if (!known)
    controls.set(key, (known = await judged({ rule, layer, defect: 'none', ...(options ? { options } : {}) })));
  return known;
}

/** Runs a mutant and says whether its rule found the defect, and nothing where there is none. */
export async function run(mutant: Mutant): Promise<Trial> {
  const [altered, recorder] = [new Set<string>(), new Recorder()];
  const right = await control(mutant);
  const result = await judged(mutant, { ...mutant, layer: noting(mutant.layer, altered) }, recorder);
  const isFound = result.verdict === 'fail' || result.verdict === 'warn';
  const astray = isFound ? strayOf(result, recorder.run, altered) : undefined;
  return { outcome: outcomeOf(mutant, right, result), ...(astray === undefined ? {} : { astray }) };
}

function outcomeOf({ rule, defect }: Mutant, right: RuleResult, result: RuleResult): Outcome {
  const { basis } = ruleOf(rule) as { basis: RuleBasis };
  const outcome = { rule, basis, defect, verdict: result.verdict };
  // An open question may have no answer that can be seen, and the defect one.
  const isQuiet =
    ['pass', 'observed'].includes(right.verdict) || (basis === 'open' && right.verdict === 'inconclusive');
  if (!isQuiet) return { ...outcome, survived: `without it: ${said(right)}` };
  if (result.verdict !== findingOf(rule)) return { ...outcome, survived: said(result) };
  return said(right) === said(result) ? { ...outcome, survived: `as without it: ${said(result)}` } : outcome;
}

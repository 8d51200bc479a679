import {
  type ClientCall,
  type ClientDelivery,
  ClientChecker,
  type ClientCheckerOptions,
  type ObligationResult,
} from '../../../certification/index.js';

/** What tells the programs and tests apart that send through one proxy. */
export interface Senders {
  /** How many tests have named themselves by the header `Teebox-Test`. */
  readonly tests: number;
  readonly worlds: number;
  readonly userAgents: readonly string[];
}

/** Names of each kind that are remembered, worlds that are checked, and searches whose results are awaited. */
const [MOST_NAMES, MOST_WORLDS, MOST_SEARCHES] = [1000, 200, 1000];
const SHOWN_EVIDENCE = 20;
const world = /^\/w\/([^/?#]+)(?=\/)/;

/** Checks the clients that send through a proxy. Each world of a sandbox has its own state, so each has its own checker. */
export class OverheardClients {
  readonly #checkers = new Map<string, ClientChecker>();
  readonly #tests = new Set<string>();
  readonly #agents = new Set<string>();
  readonly #searches = new Map<string, string>();

  constructor(readonly options: Omit<ClientCheckerOptions, 'isOverheard'>) {
    this.#checkerOf('');
  }

  call(call: ClientCall, inWorld: (path: string) => ClientCall): void {
    const [prefix = '', name = ''] = world.exec(call.path) ?? [];
    note(this.#agents, call.headers.get('user-agent') ?? undefined);
    note(this.#tests, call.test);
    if (name !== '' && this.#searches.size < MOST_SEARCHES) this.#searches.set(call.id, name);
    this.#checkerOf(name)?.call(name === '' ? call : inWorld(call.path.slice(prefix.length)));
  }

  delivery(delivery: ClientDelivery): void {
    this.#checkerOf(this.#searches.get(delivery.search ?? '') ?? '')?.delivery(delivery);
  }

  skip(): void {
    for (const checker of this.#checkers.values()) checker.skip();
  }

  end(): readonly ObligationResult[] {
    const [main, ...others] = [...this.#checkers.values()].map((checker) => checker.end());
    return main!.map((result, at) => merged([result, ...others.map((own) => own[at]!)]));
  }

  get senders(): Senders {
    return { tests: this.#tests.size, worlds: this.#checkers.size - 1, userAgents: [...this.#agents] };
  }

  #checkerOf(name: string): ClientChecker | undefined {
    const known = this.#checkers.get(name);
    if (known || this.#checkers.size > MOST_WORLDS) return known;
    const checker = new ClientChecker({ ...this.options, isOverheard: true });
    this.#checkers.set(name, checker);
    return checker;
  }
}

function note(names: Set<string>, name: string | undefined): void {
  if (name !== undefined && names.size < MOST_NAMES) names.add(name.slice(0, 100));
}

/** The results of one obligation in several worlds: a failure in one decides, and otherwise a pass in one. */
function merged(results: readonly ObligationResult[]): ObligationResult {
  const verdict = (['fail', 'pass', 'not-seen'] as const).find((one) => results.some((own) => own.verdict === one))!;
  const deciding = results.filter((own) => own.verdict === verdict);
  const breaches = deciding.reduce((sum, own) => sum + (own.breaches ?? 0), 0);
  const deliberate = results.find((own) => own.deliberate)?.deliberate;
  const doubtful = results.find((own) => own.doubtful)?.doubtful;
  return {
    ...deciding[0]!,
    ...(breaches > 0 ? { breaches } : {}),
    ...(deliberate ? { deliberate } : {}),
    ...(doubtful ? { doubtful } : {}),
    evidence: deciding.flatMap(({ evidence }) => evidence).slice(0, SHOWN_EVIDENCE),
  };
}

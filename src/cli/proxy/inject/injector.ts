import type { Effect as Doing, Permission } from '../../../conformance/index.js';
import type { OperationSpec, Scenario } from '../../../contract/index.js';
import { ValidationError } from '../../../common/index.js';
import {
  appliesTo,
  Chaos,
  type ChaosView,
  drawDelay,
  readChaos,
  ScenarioBook,
  type ScenarioSpec,
  Selection,
} from '../../../engine/index.js';

export interface InjectorOptions {
  /** Scenarios, written as for `--scenario`; each applies to every request that it fits. */
  readonly inject?: readonly string[];
  /** A random mix, written as for `serve --chaos`. */
  readonly chaos?: string;
  /** Writes that may be refused before they are sent. */
  readonly allow?: readonly Permission[];
}

/** A scenario as it applies to one exchange. */
export interface Injection {
  readonly scenario: Scenario;
  readonly source: 'plan' | 'chaos';
  readonly phase: ScenarioSpec['phase'];
  /** Milliseconds. */
  readonly delay: number;
}

type InjectionCandidate = readonly [spec: ScenarioSpec, source: Injection['source']];

/** The seed of drawn delays. */
const SEED = 1;

/** Chooses what is injected into the exchanges that pass by. */
export class Injector {
  readonly #specs: readonly ScenarioSpec[];
  readonly #chaos: Chaos | undefined;
  readonly #allow: ReadonlySet<Doing>;
  #drawn = 0;
  /** How often each scenario was triggered, by id. */
  readonly triggered = new Map<string, number>();
  /** Writes that were spared because a scenario would have refused them before they were sent, by the permission they need. */
  readonly spared = new Map<Permission, number>();

  /** @throws {ValidationError} for an unknown scenario, for one that is no fault of the network, or for an option that does not fit. */
  constructor({ inject = [], chaos, allow = [] }: InjectorOptions) {
    const book = new ScenarioBook();
    this.#specs = book.parseAll(inject);
    const fits = book.all.filter(isInjectable).map(({ id }) => id);
    for (const { scenario } of this.#specs) checkInjectable(scenario, fits);
    this.#chaos = chaos === undefined ? undefined : chaosOf(book, chaos, fits);
    this.#allow = new Set<Doing>(['read', ...allow]);
  }

  /** What is injected into a request, in the order in which it acts. */
  injectionsFor(operation: OperationSpec, doing: Doing): readonly Injection[] {
    const candidates: InjectionCandidate[] = this.#specs
      .filter(({ scenario }) => appliesTo(scenario, operation.name))
      .map((spec) => [spec, 'plan']);
    const drawn = this.#chaos?.draw({ operation, lacks: () => undefined });
    if (drawn) candidates.push([drawn, 'chaos']);
    const permitted = candidates.filter(([spec]) => this.#permits(spec, doing));
    const selection = new Selection();
    // What is injected before the request is sent decides whether there is an answer to break.
    const early = permitted.filter(([{ phase }]) => phase === 'before-commit');
    const late = permitted.filter(([{ phase }]) => phase === 'after-commit');
    return [...early, ...late].flatMap(([spec, source]) => {
      if (!selection.accepts(spec)) return [];
      selection.add(spec);
      return [this.#inject(spec, source)];
    });
  }

  get chaos(): ChaosView | undefined {
    return this.#chaos?.view;
  }

  /** An answer may always be broken: the deployment has done by then what it was asked to do. */
  #permits({ phase }: ScenarioSpec, doing: Doing): boolean {
    if (phase === 'after-commit' || this.#allow.has(doing)) return true;
    if (doing !== 'read') this.spared.set(doing, (this.spared.get(doing) ?? 0) + 1);
    return false;
  }

  #inject({ scenario, phase, delay: given }: ScenarioSpec, source: Injection['source']): Injection {
    this.triggered.set(scenario.id, (this.triggered.get(scenario.id) ?? 0) + 1);
    if (source === 'chaos') this.#chaos!.struck += 1;
    const delay = typeof given === 'number' ? given : drawDelay(given, SEED, this.#drawn++);
    return { scenario, source, phase, delay };
  }
}

/** A mix of what a proxy can do. */
function chaosOf(book: ScenarioBook, text: string, fits: readonly string[]): Chaos {
  try {
    const options = readChaos(text);
    for (const id of options.only ?? []) checkInjectable(book.spec(id).scenario, fits);
    return new Chaos(book, { only: fits, ...options }, SEED);
  } catch (error) {
    if (error instanceof ValidationError) error.input = 'chaos';
    throw error;
  }
}

function checkInjectable(scenario: Scenario, fits: readonly string[]): void {
  if (isInjectable(scenario)) return;
  throw new ValidationError(`\`${scenario.id}\` needs the sandbox: a proxy can only break what passes by.`, fits);
}

/** Whether a proxy can do it: it needs nothing but the connection and the answer. */
function isInjectable({ checkpoint, effect }: Scenario): boolean {
  return checkpoint === 'arrival' && (effect.kind === 'network' || effect.kind === 'refusal');
}

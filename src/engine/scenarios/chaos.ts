import { fraction, hash32 } from '../model/hash.js';
import { ChaosRequest, fit, type Phase } from '../../contract/index.js';
import { ValidationError, readSettings } from '../../common/index.js';
import type { ScenarioBook } from './book.js';
import type { PlanContext } from './triggered-scenario.js';
import { appliesTo, type ScenarioSpec } from './spec.js';

/** A random mix of scenarios, the same for the same seed and requests. */
export interface ChaosOptions {
  /** The share of requests for which a scenario is drawn: from 0 to 1, or in percent. */
  readonly rate: number | `${number}%`;
  /** Default: the seed of the sandbox. */
  readonly seed?: number;
  /** The ids of the scenarios to draw from. Default: all with a weight. */
  readonly only?: readonly string[];
}

/** Chaos with its counters, for display. */
export interface ChaosView {
  readonly rate: number;
  readonly seed: number;
  /** The ids of the scenarios that it draws from, with their weights. */
  readonly mix: readonly { readonly scenario: string; readonly weight: number }[];
  /** Number of requests that it has looked at. */
  readonly seen: number;
  /** Number of times it was triggered. */
  readonly struck: number;
}

/** Chaos as data, from which it can be restored. */
export interface ChaosState {
  readonly options: ChaosOptions;
  readonly seen: number;
  readonly struck: number;
}

/** The stream of the hash from which it draws. */
const CHAOS = 0xca05;

/** Draws scenarios for requests, by weight. */
export class Chaos {
  seen = 0;
  struck = 0;
  readonly rate: number;
  readonly seed: number;
  readonly #mix: readonly (readonly [spec: ScenarioSpec, weight: number])[];

  /** @throws {ValidationError} for an invalid option or an unknown scenario. */
  constructor(
    book: ScenarioBook,
    readonly options: ChaosOptions,
    worldSeed: number,
  ) {
    const { rate, seed = worldSeed, only } = fit(ChaosRequest, options, { whole: 'Chaos' }) as ChaosOptions;
    this.rate = typeof rate === 'number' ? rate : Number.parseFloat(rate) / 100;
    this.seed = seed;
    const weights = only?.map((id) => [book.spec(id), book.spec(id).scenario.weight ?? 1] as const);
    // What is asked for by name is drawn, also if it is left out otherwise.
    this.#mix = weights
      ? weights.map(([spec, weight]) => [spec, Math.max(1, weight)])
      : book.all.flatMap(({ id, weight = 1 }) => (weight > 0 ? [[book.spec(id), weight] as const] : []));
  }

  /** The scenario for a request; undefined for most. */
  draw({ operation, lacks }: Pick<PlanContext, 'operation' | 'lacks'>): ScenarioSpec | undefined {
    const turn = this.seen++;
    const chance = (part: number) => fraction(hash32(this.seed, CHAOS, turn, part));
    if (chance(0) >= this.rate) return undefined;
    const fits = this.#mix.filter(
      ([{ scenario }]) => appliesTo(scenario, operation.name) && lacks(scenario) === undefined,
    );
    let left = chance(1) * fits.reduce((sum, [, weight]) => sum + weight, 0);
    const [spec] = fits.find(([, weight]) => (left -= weight) < 0) ?? [];
    if (!spec) return undefined;
    const phases = Object.keys(spec.scenario.after) as Phase[];
    return { ...spec, phase: phases[Math.floor(chance(2) * phases.length)]! };
  }

  get view(): ChaosView {
    const { rate, seed, seen, struck } = this;
    return {
      rate,
      seed,
      mix: this.#mix.map(([{ scenario }, weight]) => ({ scenario: scenario.id, weight })),
      seen,
      struck,
    };
  }

  export(): ChaosState {
    const { rate, seed, seen, struck, options } = this;
    const { only } = options;
    return { options: { rate, seed, ...(only ? { only } : {}) }, seen, struck };
  }
}

/** The chaos of the start, which may be written as for `--chaos`. */
export function initialChaos(book: ScenarioBook, given: ChaosOptions | string | undefined, seed: number): Chaos | null {
  try {
    return given === undefined ? null : new Chaos(book, typeof given === 'string' ? readChaos(given) : given, seed);
  } catch (error) {
    if (error instanceof ValidationError) error.input = 'chaos';
    throw error;
  }
}

/**
 * Reads `rate=5%; seed=7; only=slow,server-error`.
 *
 * @throws {ValidationError} with what is wrong and what would fit.
 */
export function readChaos(text: string): ChaosOptions {
  const { only, ...numbers } = readSettings(text, ['rate', 'seed', 'only']);
  const list = typeof only === 'string' ? { only: only.split(',').map((id) => id.trim()) } : {};
  return fit(ChaosRequest, { ...numbers, ...list }, { whole: 'Chaos' }) as ChaosOptions;
}

import { mountAdmin } from './admin/index.js';
import { createAuthenticate } from './app/authenticate.js';
import { Callbacks } from './app/callbacks.js';
import { answersOf, type DialectCard, parseDialectCard } from './app/dialect.js';
import { mount } from './app/mount.js';
import { createRateLimit } from './app/rate-limit.js';
import { type Clock, runningClock, standingClock } from './clock.js';
import type { World } from './domain/world.js';
import { operations } from './generated/operations.js';
import type { Answers } from './generated/questions.js';
import { ruleBasis } from './generated/rule-basis.js';
import type { Sandbox, SandboxOptions } from './options.js';
import { Store } from './store/store.js';
import { createWorld } from './store/world.js';

const DEFAULT_NOW = '2026-06-01T08:00:00Z';
const DEFAULT_EXPIRES_IN = 3600;

function later(work: () => void, delay: number): () => void {
  const timer = setTimeout(work, delay);
  return () => clearTimeout(timer);
}

function summarize(world: World, { name, answers = {} }: DialectCard): string {
  const given = Object.keys(answers).length;
  const card = given === 0 ? 'default dialect' : `dialect ${name ?? 'card'} with ${given} answers`;
  const rules = Object.keys(ruleBasis).length;
  return `${world.size} facilities in ${world.countries().length} countries, ${operations.length} operations, ${rules} rules, ${card}`;
}

function lifetimeOf({ expiresIn = DEFAULT_EXPIRES_IN }: SandboxOptions): number {
  if (Number.isSafeInteger(expiresIn) && expiresIn >= 1) return expiresIn;
  throw new RangeError('`expiresIn` must be a whole number of seconds, at least 1.');
}

/**
 * Creates a sandbox.
 *
 * @throws {Error} for an option that cannot be used, saying which and why.
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { seed = 1, pure = false, onExchange, dialect = {} } = options;
  const expiresIn = lifetimeOf(options);
  const card = parseDialectCard(dialect);
  const answers = answersOf(card);
  const clock = options.clock ? runningClock(options.clock) : standingClock(options.now ?? DEFAULT_NOW);
  const world = createWorld({ seed, ...(options.facilities === undefined ? {} : { facilities: options.facilities }) });
  const store = await Store.create(world, clock.now());

  /** What a reset throws away beside the store: deliveries, counters and the routes that hold them. */
  const start = () => {
    const callbacks = createCallbacks(options, answers, clock);
    let requests = 0;
    const service = mount({
      engine: { store, answers, expiresIn, callbacks, now: clock.now },
      authenticate: createAuthenticate(world.channels, store.tokens, answers),
      limitRate: createRateLimit(answers['rate-limit.per-minute']),
      pure,
      onExchange,
      nextRequestId: () => `req-${++requests}`,
    });
    mountAdmin(service, { version: options.version ?? '0.0.0', reset });
    return { service, callbacks };
  };
  let running = start();

  async function reset(): Promise<void> {
    running.callbacks.close();
    clock.reset();
    await store.reset(clock.now());
    running = start();
  }

  return {
    fetch: (request, hints = {}) => running.service.fetch(request, hints),
    channels: world.channels,
    clock,
    db: store.db,
    dialect: card,
    summary: summarize(world, dialect),
    callbacks: shown(() => running.callbacks),
    reset,
  };
}

function createCallbacks(options: SandboxOptions, answers: Answers, { now }: Clock): Callbacks {
  return new Callbacks({
    answers,
    allowed: options.allowCallback ?? [],
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    schedule: options.schedule ?? later,
    now,
  });
}

/** What a sandbox shows of its callbacks, those of the newest start. */
function shown(current: () => Callbacks): Sandbox['callbacks'] {
  return {
    get deliveries() {
      return current().deliveries;
    },
    settled: () => current().settled(),
  };
}

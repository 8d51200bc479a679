import { defined } from '../common/index.js';
import type { Clock, DialectCard, Handle, Placement, SandboxOptions, World } from '../engine/index.js';
import type { CertifyOptions } from './certify-options.js';
import type { Exam, ExamDelays } from './exam.js';
import { exams } from './exams/index.js';
import { recordedSandbox, type RecordedSandbox } from './recorder.js';
import type { TrafficSink } from './recording.js';

const DELAYS: ExamDelays = { slow: 2000, hang: 20_000, late: 3000 };
/** Worlds that one exam has at most, with those that were deleted or reset. */
const MOST = 2000;
const PREFIX = /^\/w\/([A-Za-z0-9][\w.-]{0,63})(?=\/|$)(?!\/w\/)/;

/** What the worlds of all exams begin with. */
export interface ExamStart {
  readonly options: CertifyOptions;
  /** The catalogue of all exams: facilities are derived one time. */
  readonly world: World;
  /** The instant at which each exam begins, in epoch milliseconds. */
  readonly now: number;
  /** Requests to the host of an exam without its path. */
  readonly pathless: string[];
}

/** A world of an exam, from its start or its last reset on. */
interface ExamWorld {
  readonly prefix: string;
  /** The beginning of the ids of its calls. */
  readonly idPrefix: string;
  readonly recorded: Promise<RecordedSandbox>;
  lastUsed: number;
}

/**
 * The worlds of an exam: that of its address, and those that the tests of a client open at `/w/NAME`. Each begins the exam
 * anew, with the same seed, dialect and scenarios, and so does one that was reset.
 */
export class ExamWorlds {
  readonly #open = new Map<string, ExamWorld>();
  readonly #all: ExamWorld[] = [];

  constructor(
    readonly exam: Exam,
    readonly start: ExamStart,
    readonly sink: TrafficSink,
  ) {}

  /** The world at the address of the exam. */
  main(): Promise<RecordedSandbox> {
    return this.#of(`/w/${this.exam.id}`)!;
  }

  readonly handle: Handle = async (request, hints) => {
    const { pathname } = new URL(request.url);
    const prefix = this.#prefixOf(pathname);
    const world = prefix === undefined ? undefined : this.#of(prefix);
    if (!pathname.startsWith('/w/')) return this.#pathless(request.method, pathname);
    if (prefix === undefined || !world) return noWorld();
    const response = await (await world).handle(request, hints);
    if (response.ok && pathname === `${prefix}/__admin/reset`) this.#leave(prefix, 'It was reset.');
    return response;
  };

  /** A client that puts its paths after the host alone leaves out the path of the exam. */
  #pathless(method: string, pathname: string): Response {
    const { pathless } = this.start;
    if (pathless.length < MOST) pathless.push(`${method} ${pathname}`.slice(0, 100));
    return refused(
      `The path of the base URL is missing: it is /w/${this.exam.id}, and the paths of the service follow it. TEEBOX_BASE_URL is the base URL of the exam.`,
    );
  }

  /** Ends the recording in all worlds. */
  async stop(): Promise<void> {
    for (const { recorded } of this.#all) (await recorded).stop();
  }

  end(): void {
    for (const prefix of this.#open.keys()) this.#leave(prefix, 'The exam is over.');
  }

  /** The world of a call. */
  async worldOf(call: string): Promise<RecordedSandbox> {
    const world = this.#all.findLast(({ idPrefix }) => call.startsWith(idPrefix));
    return (world ?? this.#all[0]!).recorded;
  }

  #prefixOf(pathname: string): string | undefined {
    const [prefix, name] = PREFIX.exec(pathname) ?? [];
    // A process that an earlier exam has left behind may find the port of that one again.
    const isStray = name !== this.exam.id && exams.some(({ id }) => id === name);
    return isStray ? undefined : prefix;
  }

  /** The world of a prefix, which is made if there is none; undefined if there are too many. */
  #of(prefix: string): Promise<RecordedSandbox> | undefined {
    let world = this.#open.get(prefix);
    if (!world) {
      if (this.#all.length >= MOST) return undefined;
      world = this.#begin(prefix);
      this.#open.set(prefix, world);
      this.#all.push(world);
    }
    world.lastUsed = this.start.options.host.now();
    return world.recorded;
  }

  #begin(prefix: string): ExamWorld {
    const { id } = this.exam;
    const name = prefix.slice('/w/'.length);
    const place = name === id ? name : `${id}/${name}`;
    const before = this.#all.filter((world) => world.prefix === prefix).length;
    const idPrefix = before === 0 ? `${place}/` : `${place}@${before}/`;
    return { prefix, idPrefix, recorded: this.#make(prefix, idPrefix), lastUsed: 0 };
  }

  async #make(prefix: string, idPrefix: string): Promise<RecordedSandbox> {
    const { exam, sink } = this;
    const { options, world, now } = this.start;
    const { allowCallback, fetch, schedule, version, clock } = options;
    const sandboxOptions = {
      now,
      dialect: cardOf(exam, options.dialect),
      ...exam.options,
      ...defined({ allowCallback, fetch, schedule, version, clock }),
    } satisfies SandboxOptions;
    const isMain = prefix === `/w/${exam.id}`;
    const position = { prefix, catalogue: world, ...(isMain ? { worlds: this.#host } : {}) };
    const how = { idPrefix, position, ...(exam.disguise ? { disguise: exam.disguise() } : {}) };
    const recorded = await recordedSandbox(sandboxOptions, sink, how);
    const { sandbox } = recorded;
    if (clock) (sandbox.clock satisfies Clock).resume();
    exam.arrange?.(sandbox, { ...DELAYS, ...options.delays });
    return recorded;
  }

  /** The worlds beside that of the exam, as its admin API knows them. */
  readonly #host: NonNullable<Placement['worlds']> = {
    list: () =>
      [...this.#open]
        .map(([prefix, { lastUsed }]) => ({ name: prefix.slice('/w/'.length), lastUsed }))
        .filter(({ name }) => name !== this.exam.id)
        .sort((one, other) => one.lastUsed - other.lastUsed),
    delete: (name) => this.#leave(`/w/${name}`, 'It was deleted.'),
  };

  #leave(prefix: string, why: string): boolean {
    const world = this.#open.get(prefix);
    if (!world) return false;
    this.#open.delete(prefix);
    void world.recorded.then(({ stop, sandbox }) => {
      stop();
      sandbox.end(why);
    });
    return true;
  }
}

/** The dialect of an exam: the deployment's own answers come first. */
function cardOf({ answers = {} }: Exam, { name, answers: own = {}, scenarios }: DialectCard = {}): DialectCard {
  return defined({ name, answers: { ...answers, ...own }, scenarios });
}

function noWorld(): Response {
  return refused(
    `No exam is at this address, or it has ${MOST} worlds already. TEEBOX_BASE_URL is the base URL of the exam. A test may open a world of its own at /w/NAME of the same origin.`,
  );
}

function refused(message: string): Response {
  return Response.json({ success: false, data: null, message }, { status: 404 });
}

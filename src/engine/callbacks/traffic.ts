/** What callbacks may use. Sizes are in characters, those of results that are not made yet are estimated. */
export interface TrafficLimits {
  /** Results that are not posted yet, or are to be posted again. */
  readonly waiting: number;
  /** Their size together. */
  readonly waitingSize: number;
  /** Posts at a time. */
  readonly posts: number;
  /** The size of what is in memory for them. */
  readonly postedSize: number;
  /** The size of bodies that are kept. */
  readonly keptSize: number;
}

const MILLION = 1_000_000;
const ofOneWorld: TrafficLimits = {
  waiting: 500,
  waitingSize: 1000 * MILLION,
  posts: 16,
  postedSize: 64 * MILLION,
  keptSize: 16 * MILLION,
};
const ofAllWorlds: TrafficLimits = {
  waiting: 2000,
  waitingSize: 2000 * MILLION,
  posts: 64,
  postedSize: 128 * MILLION,
  keptSize: 64 * MILLION,
};

/** A result with its body, while that is kept. */
interface Kept {
  body: string | null;
}

/** What is in use. A single result may exceed a size, or it could never be posted. */
class Usage {
  waiting = 0;
  waitingSize = 0;
  posts = 0;
  postedSize = 0;
  keptSize = 0;

  constructor(readonly most: TrafficLimits) {}

  accepts(size: number): boolean {
    const { most, waiting } = this;
    return waiting < most.waiting && (waiting === 0 || this.waitingSize + size <= most.waitingSize);
  }

  posting(size: number): boolean {
    const { most, posts } = this;
    return posts < most.posts && (posts === 0 || this.postedSize + size <= most.postedSize);
  }

  count(results: number, size: number): void {
    this.waiting += results;
    this.waitingSize += results * size;
  }

  post(posts: number, size: number): void {
    this.posts += posts;
    this.postedSize += posts * size;
  }
}

interface Turn {
  readonly lane: TrafficLane;
  readonly size: number;
  readonly start: () => void;
}

/** The callbacks of all worlds of a server: how many wait, are posted at a time, and keep their bodies. */
export class CallbackTraffic {
  readonly all: Usage;
  /** Posts that wait for others to end, in order. */
  readonly turns: Turn[] = [];
  /** The results that keep their bodies, oldest first. */
  readonly kept = new Map<Kept, TrafficLane>();

  constructor(
    readonly oneWorld = ofOneWorld,
    allWorlds = ofAllWorlds,
  ) {
    this.all = new Usage(allWorlds);
  }

  /** The part of one world. */
  lane(): TrafficLane {
    return new TrafficLane(this, new Usage(this.oneWorld));
  }

  /** Starts the posts that there is room for. A world keeps its order; a full one does not hold up the others. */
  next(): void {
    const full = new Set<TrafficLane>();
    let isFull = false;
    for (const turn of this.turns.splice(0)) {
      const { lane, size } = turn;
      if (!lane.own.posting(size)) full.add(lane);
      if (!full.has(lane) && !this.all.posting(size)) isFull = true;
      if (isFull || full.has(lane)) this.turns.push(turn);
      else {
        lane.post(1, size);
        turn.start();
      }
    }
  }
}

/** The callbacks of one world among all. */
export class TrafficLane {
  #ended = false;

  constructor(
    readonly traffic: CallbackTraffic,
    readonly own: Usage,
  ) {}

  /** Whether there is room for one more result. */
  accepts(size: number): boolean {
    return this.own.accepts(size) && this.traffic.all.accepts(size);
  }

  /** Counts results that wait, or are over. */
  count(results: number, size: number): void {
    if (this.#ended) return;
    this.own.count(results, size);
    this.traffic.all.count(results, size);
  }

  /** Begins a post, at once or when others are over. */
  enter(size: number): Promise<void> | undefined {
    const { all, turns } = this.traffic;
    const first = !turns.some(({ lane }) => lane === this);
    if (this.#ended || (first && this.own.posting(size) && all.posting(size))) {
      this.post(1, size);
      return undefined;
    }
    return new Promise((start) => turns.push({ lane: this, size, start }));
  }

  /** Ends a post. */
  leave(size: number): void {
    this.post(-1, size);
    this.traffic.next();
  }

  post(posts: number, size: number): void {
    if (this.#ended) return;
    this.own.post(posts, size);
    this.traffic.all.post(posts, size);
  }

  /** Keeps the body of a result, and drops older ones for it. */
  keep(result: Kept, body: string): void {
    this.forget(result);
    const { kept, all } = this.traffic;
    if (this.#ended || body.length > this.own.most.keptSize) return;
    result.body = body;
    kept.set(result, this);
    this.#size(body.length);
    for (const [old, lane] of kept) {
      const tooMany = all.keptSize > all.most.keptSize;
      if (!tooMany && this.own.keptSize <= this.own.most.keptSize) return;
      if (tooMany || lane === this) lane.forget(old);
    }
  }

  forget(result: Kept): void {
    if (!this.traffic.kept.delete(result)) return;
    this.#size(-result.body!.length);
    result.body = null;
  }

  /** Gives everything back. Posts that wait begin, for their owner to see that it is over. */
  end(): void {
    const { all, kept, turns } = this.traffic;
    for (const [result, lane] of kept) if (lane === this) kept.delete(result);
    all.waiting -= this.own.waiting;
    all.waitingSize -= this.own.waitingSize;
    all.posts -= this.own.posts;
    all.postedSize -= this.own.postedSize;
    all.keptSize -= this.own.keptSize;
    this.#ended = true;
    const mine = turns.filter(({ lane }) => lane === this);
    for (const turn of mine) turns.splice(turns.indexOf(turn), 1);
    for (const { start } of mine) start();
    this.traffic.next();
  }

  #size(characters: number): void {
    if (this.#ended) return;
    this.own.keptSize += characters;
    this.traffic.all.keptSize += characters;
  }
}

import type { CertifyEvent } from './certify-options.js';

/** Tells an event, which is made when its turn has come: one that waits then holds no copy of bodies. */
export type Tell = (make: () => CertifyEvent) => void;

/** Tells the events of exams that are taken at the same time in the order of the exams. */
export class EventsInOrder {
  readonly #waiting: (() => CertifyEvent)[][];
  readonly #isOver: boolean[] = [];
  /** The exam whose events are told at once. */
  #turn = 0;

  constructor(
    readonly tell: (event: CertifyEvent) => void,
    exams: number,
  ) {
    this.#waiting = Array.from({ length: exams }, () => []);
  }

  /** Tells the events of one exam. */
  of(index: number): Tell {
    return (make) => {
      if (index === this.#turn) this.tell(make());
      else this.#waiting[index]!.push(make);
    };
  }

  /** An exam is over: the next ones have their turn. */
  end(index: number): void {
    this.#isOver[index] = true;
    while (this.#isOver[this.#turn]) {
      this.#turn += 1;
      for (const make of this.#waiting[this.#turn]?.splice(0) ?? []) this.tell(make());
    }
  }
}

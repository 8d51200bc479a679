import type { AdminHost } from './admin/route.js';
import { type CallbackHost, Callbacks, type DueCallback } from './callbacks/callbacks.js';
import { Inbox } from './callbacks/inbox.js';
import { Agenda } from './model/agenda.js';
import type { Schedule } from './model/clock.js';
import { createAuthenticate, createRateLimit, createTokenReader } from './api/authenticate.js';
import type { Answers } from '../contract/index.js';
import { mount } from './api/mount.js';
import type { RequestServices } from './api/request-context.js';
import type { SandboxState } from './state/sandbox-state.js';
import { Caches } from './store/caches.js';

/** What outlives a reset and a restore. */
interface Lasting {
  readonly state: SandboxState;
  /** Lifetime of an access token in seconds. */
  readonly expiresIn: number;
  readonly schedule: Schedule;
  readonly callbacks: Omit<CallbackHost, 'agenda' | 'answers'>;
  readonly services: Omit<RequestServices, 'engine' | 'authenticate' | 'tokenOf' | 'limitRate' | 'admin' | 'caches'>;
  readonly admin: Omit<AdminHost, 'engine' | 'agenda' | 'inbox'>;
}

/** What a reset and a restore throw away besides the state: pending callbacks, the inbox, and the routes with their caches. */
export class Running {
  readonly agenda: Agenda<DueCallback>;
  readonly callbacks: Callbacks;
  readonly inbox = new Inbox();
  readonly engine: AdminHost['engine'] & { answers: Answers };
  caches!: Caches;
  serve!: ReturnType<typeof mount>;

  constructor(readonly lasting: Lasting) {
    const { state, schedule, callbacks, expiresIn } = lasting;
    const { store, clock, dialect } = state;
    this.agenda = new Agenda<DueCallback>(state.clock, schedule);
    this.callbacks = new Callbacks({
      ...callbacks,
      agenda: this.agenda,
      get answers() {
        return dialect.answers;
      },
    });
    this.engine = { store, answers: dialect.answers, expiresIn, callbacks: this.callbacks, now: clock.now };
    this.mount();
  }

  /** Mounts the routes of the dialect in force; callbacks and inbox stay. */
  mount(): void {
    const { engine, agenda, inbox } = this;
    const { state, services, admin } = this.lasting;
    const { store, dialect } = state;
    const { answers } = dialect;
    engine.answers = answers;
    this.caches = new Caches();
    this.serve = mount({
      ...services,
      engine,
      authenticate: createAuthenticate(store.world.channels, store.tokens, answers),
      tokenOf: createTokenReader(answers),
      limitRate: createRateLimit(answers['rate-limit.per-minute']),
      // Loaded with its first request, so that pages that never ask for it do not download it.
      admin: async (...sent) =>
        (await import('./admin/app.js')).serveAdmin({ ...admin, engine, agenda, inbox }, ...sent),
      caches: this.caches,
    });
  }

  /** Drops what is pending. */
  close(): void {
    this.agenda.close();
    this.callbacks.close();
  }
}

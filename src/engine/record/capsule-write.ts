import { Booking, type BookingState, recordOf } from '../model/booking.js';
import { defined, type InSlices, type Pause, slicesBy } from '../../common/index.js';
import type { WorldFile } from '../../contract/index.js';
import { areWebHeaders, type MadeResponse } from './journal.js';
import { firstCard } from '../state/dialect.js';
import type { SandboxState, StateOptions } from '../state/sandbox-state.js';
import type { SavePoint, State } from '../state/state.js';
import {
  type Capsule,
  CAPSULE_FORM,
  type CapsuleOptions,
  type CapsuleRequest,
  type CapsuleResponse,
  type CapsuleState,
  type CapsuleStep,
} from './capsule.js';
import type { RecordedBooking, RecordedRequest, RecordedStep, CapsuleRecorder } from './capsule-recorder.js';
import { Concealer } from './capsule-secrets.js';
import { differenceOf } from './state-difference.js';

/** What a capsule is made of. */
interface CapsuleSource {
  readonly recorder: CapsuleRecorder;
  readonly state: SandboxState;
  readonly options: StateOptions & CapsuleOptions & { readonly version?: string };
  readonly placement: { readonly prefix?: string };
  /** The baseline at an instant. */
  baseline(at: number): Promise<State>;
}

const ours = [
  'scenarios',
  'chaos',
  'ownScenarios',
  'magic',
  'expiresIn',
  'pure',
  'allowCallback',
] as const satisfies readonly (keyof CapsuleOptions)[];

/** Writes what was recorded as a capsule, while other requests are answered. */
export async function writeCapsule(source: CapsuleSource, pause: Pause): Promise<Capsule> {
  const { recorder, state, options } = source;
  const inSlices = slicesBy(pause);
  await inSlices(state.store.ledger.all(), recordOf);
  // From here to the next wait nothing else happens.
  const { savePoint, steps, events } = recorder.recorded;
  const start = stateAt(state, savePoint, events);
  const { issued } = state.store.tokens.export();
  const { world, tokens } = state.store;
  const now = new Date(recorder.plantedAt).toISOString();
  const difference = differenceOf(start, await source.baseline(recorder.plantedAt));
  const bearerHeader = state.dialect.answers['auth.bearer-header'];
  const writer = new StepWriter(
    new Concealer(world.channels, (...token) => tokens.byNumber(...token), issued, bearerHeader),
    source.placement.prefix,
  );
  for (const step of steps) writer.read(step);
  const written: CapsuleStep[] = [];
  await inSlices(steps, (step) => void written.push(writer.write(step)));
  const kept = Object.fromEntries(ours.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])));
  const own = options.world ? { world: withoutSecrets(options.world) } : {};
  return {
    teebox: options.version ?? '0.0.0',
    capsule: CAPSULE_FORM,
    seed: world.seed,
    facilities: world.size,
    now,
    dialect: firstCard(options) ?? {},
    options: { ...(kept as CapsuleOptions), ...own },
    ...(difference ? { state: await concealed(difference, writer.secrets, inSlices) } : {}),
    steps: written,
  };
}

/** A world file without the passwords and tokens of its channels, which are then derived from their names. */
export function withoutSecrets({ channels, ...file }: WorldFile): WorldFile {
  const shown = channels?.map(({ name, username }) => defined({ name, username }));
  return { ...file, ...(shown ? { channels: shown } : {}) };
}

/** A state without secrets. Its bookings may be many. */
async function concealed(state: CapsuleState, secrets: Concealer, inSlices: InSlices): Promise<CapsuleState> {
  const { store: { bookings, ...store } = {}, ...rest } = state;
  const shown: BookingState[] = [];
  await inSlices(bookings ?? [], (booking) => void shown.push(secrets.conceal(booking)));
  const parts = { ...secrets.conceal(store), ...(bookings ? { bookings: shown } : {}) };
  return { ...secrets.conceal(rest), ...(state.store ? { store: parts } : {}) };
}

/** The state of a save point: its bookings are those of now, without what happened to them since. */
function stateAt(state: SandboxState, savePoint: SavePoint, events: readonly RecordedBooking[]): State {
  const former = new Map<Booking, Partial<BookingState>>();
  for (const [booking, event] of events) {
    const before = event === 'paid' ? { paymentConfirmedAt: null } : { status: 'BOOKED' as const, canceledAt: null };
    former.set(booking, { ...former.get(booking), ...before });
  }
  const bookings: BookingState[] = [];
  for (const booking of state.store.ledger.all()) {
    if (booking.sequence > savePoint.store.sequence) break;
    const before = former.get(booking);
    bookings.push(before ? { ...recordOf(booking), ...before } : recordOf(booking));
  }
  const now = state.export();
  return { ...now, ...savePoint, store: { bookings, ...savePoint.store } };
}

/** Writes steps without secrets. All of them are read first, so that a secret is replaced everywhere. */
class StepWriter {
  constructor(
    readonly secrets: Concealer,
    readonly prefix: string | undefined,
  ) {}

  read(step: RecordedStep): void {
    const { secrets } = this;
    if (step.kind === 'admin') secrets.readJson(step.body);
    if (step.kind !== 'request') return;
    const { entry, text, made } = step;
    secrets.readHeaders(headersOf(entry.requestHeaders));
    secrets.readUrl(entry.url);
    for (const body of [text, made && textOf(made)]) if (body !== undefined) secrets.readText(body);
  }

  write(step: RecordedStep): CapsuleStep {
    const at = new Date(step.kind === 'request' ? step.entry.at : step.at).toISOString();
    switch (step.kind) {
      case 'request':
        return this.#request(step, at);
      case 'admin': {
        const { path, body, ...rest } = step;
        const sent = body === undefined ? {} : { body: this.secrets.conceal(body) };
        return { ...rest, at, path: this.secrets.conceal(path), ...sent };
      }
      default:
        return { ...step, at };
    }
  }

  #request(step: RecordedRequest, at: string): CapsuleRequest {
    const { entry, address, reachesAll, text } = step;
    const { secrets } = this;
    // In the world of its own, a path has no prefix.
    const url = this.prefix === undefined ? entry.url : entry.url.replace(this.prefix, '');
    const used = address ?? entry.url;
    const response = this.#response(step);
    return {
      kind: 'request',
      id: entry.requestId,
      at,
      method: entry.method,
      url: secrets.concealUrl(url),
      ...(used === url ? {} : { address: secrets.concealUrl(used) }),
      ...(reachesAll ? { reachesAll } : {}),
      headers: secrets.conceal(headersOf(entry.requestHeaders)),
      ...(text === undefined ? lostBody(step) : this.#body(text)),
      ...(response === undefined ? { resumed: step.resumed } : { response }),
    };
  }

  /** Undefined for a request that is still open. */
  #response({ isOver, made, length }: RecordedRequest): CapsuleResponse | null | undefined {
    if (!made) return isOver ? null : undefined;
    const { status, headers } = made;
    const body = length === undefined ? this.#body(textOf(made)) : { length };
    return { status, headers: this.secrets.conceal({ ...headers }), ...body };
  }

  #body(text: string): { json: unknown } | { text: string } {
    try {
      const json: unknown = JSON.parse(text);
      if (JSON.stringify(json) === text) return { json: this.secrets.conceal(json) };
    } catch {
      // It stays text.
    }
    return { text: this.secrets.conceal(text) };
  }
}

function lostBody({ entry }: RecordedRequest): { lost?: 'too-large' | 'broken' } {
  if (!/^(?:POST|PUT|PATCH)$/.test(entry.method)) return {};
  return { lost: entry.rule === 'limits.body-size' ? 'too-large' : 'broken' };
}

function textOf({ body }: MadeResponse): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}

function headersOf(source: RecordedRequest['entry']['requestHeaders']): Record<string, string> {
  if (areWebHeaders(source)) return Object.fromEntries(source);
  const pairs = Object.entries(source).flatMap(([name, value]) =>
    value === undefined ? [] : [[name.toLowerCase(), typeof value === 'string' ? value : value.join(', ')]],
  );
  return Object.fromEntries(pairs) as Record<string, string>;
}

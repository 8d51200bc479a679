import { CalendarCheck, type IconNode, Webhook, Zap } from 'lucide';
import type { ComponentChildren } from 'preact';
import { counted } from '../../../common/index.js';
import { type AdminType, call, perform } from '../../data/api.js';
import { useLoad } from '../../data/load.js';
import { hrefOf } from '../../data/route.js';
import { Badge } from '../../parts/badge.js';
import { Icon } from '../../parts/icon.js';

type RequestView = AdminType<'RequestView'>;

/** A booking, and what this request was to it. */
interface BookingLink {
  readonly id: string;
  readonly code: string;
  readonly words: string;
}

const MOST_BOOKINGS = 5;

/** Texts by which bookings are found that a request may have made or changed: their ids, or the name of its contact. */
function bookingTexts({ operation = '', path, request, response }: RequestView): readonly string[] {
  if (!/booking|payment/i.test(operation) || operation.endsWith('.listBookings')) return [];
  const found = new Set(path.split('?')[0]!.split('/').slice(4).map(decodeURIComponent));
  const names = new Set<string>();
  const read = (value: unknown, name = ''): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) read(inner, Array.isArray(value) ? name : key);
    } else if (/booking_?id$|^code$/i.test(name)) found.add(String(value));
    else if (/^contactLastName$/i.test(name) && value !== '') names.add(String(value));
  };
  read(response?.body);
  read(request.body);
  for (const word of ['payment', 'cancel', 'null', 'undefined', '']) found.delete(word);
  return [...(found.size > 0 ? found : names)].slice(0, MOST_BOOKINGS);
}

/** The bookings whose history has the request. */
async function bookingsOf(view: RequestView): Promise<readonly BookingLink[]> {
  const lists = await Promise.all(
    bookingTexts(view).map((text) =>
      perform(call('GET', 'bookings', { query: { text, order: 'newest', limit: MOST_BOOKINGS } })),
    ),
  );
  const ids = new Set(lists.flatMap(({ bookings }) => bookings.map(({ bookingId }) => bookingId)));
  const histories = await Promise.all(
    [...ids].map((bookingId) => perform(call('GET', 'bookings/{bookingId}/history', { path: { bookingId } }))),
  );
  return histories.flatMap(({ booking: { bookingId, code }, events }) => {
    const event = events.find(({ requestId }) => requestId === view.id);
    return event ? [{ id: bookingId, code, words: event.words }] : [];
  });
}

/** The callbacks that a search is answered with. */
async function callbacksOf({ id, operation }: RequestView) {
  if (!operation?.endsWith('.searchTeeTimes')) return [];
  const { callbacks } = await perform(call('GET', 'callbacks'));
  return callbacks.filter(({ requestId }) => requestId === id);
}

/** What a request made or met: bookings, callbacks, and the plan of its scenario. Each leads back to the request. */
export function Links({ view }: { readonly view: RequestView }) {
  // What is not found is not shown; the request itself is on the page.
  const { data: bookings = [] } = useLoad(() => bookingsOf(view), [view.id]);
  const { data: callbacks = [] } = useLoad(() => callbacksOf(view), [view.id]);
  if (!view.scenario && bookings.length === 0 && callbacks.length === 0) return null;
  return (
    <ul class="traces" aria-label="What it made and met">
      <ScenarioLink view={view} />
      {bookings.map(({ id, code, words }) => (
        <LinkRow key={id} icon={CalendarCheck}>
          Booking <a href={hrefOf(['bookings', id])}>{code}</a>: {words}
        </LinkRow>
      ))}
      {callbacks.map(({ id, state, attempts }) => (
        <LinkRow key={id} icon={Webhook}>
          Callback <a href={hrefOf(['callbacks', id])}>{id}</a>: {state} after {counted(attempts.length, 'attempt')}
        </LinkRow>
      ))}
    </ul>
  );
}

function LinkRow({ icon, children }: { readonly icon: IconNode; readonly children: ComponentChildren }) {
  return (
    <li>
      <Icon of={icon} size={14} />
      <span>{children}</span>
    </li>
  );
}

function ScenarioLink({ view: { scenario } }: { readonly view: RequestView }) {
  if (!scenario) return null;
  const { id, source, plan, struck, phase, as, also = [] } = scenario;
  return (
    <LinkRow icon={Zap}>
      <Badge tone={struck ? 'warn' : 'neutral'}>{struck ? 'triggered' : 'not triggered'}</Badge>{' '}
      <a href={hrefOf(['scenarios', id])}>{id}</a>, requested by {source}
      {plan && (
        <>
          {' '}
          <a href={hrefOf(['scenarios', id])}>{plan}</a>
        </>
      )}
      {phase && `, ${phase.replace('-', ' ')}`}
      {as && `, shown as ${as}`}
      {also.length > 0 && <span class="about">{`. Also: ${also.join(', ')}`}</span>}
    </LinkRow>
  );
}

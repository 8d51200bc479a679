import { useMemo, useState } from 'preact/hooks';
import { call } from '../../../data/api.js';
import { minute } from '../../../data/clock.js';
import { localTime } from '../../../data/local-time.js';
import { useCall } from '../../../data/load.js';
import { hrefOf } from '../../../data/route.js';
import type { RequestRow } from '../../../data/request-log.js';
import { toast } from '../../../data/toasts.js';
import { CopyButton } from '../../../parts/copy.js';
import { Dialog } from '../../../parts/dialog.js';
import { SelectField, TextArea, TextField } from '../../../parts/field.js';
import {
  bodyOf,
  bookingCurl,
  type BookingDraft,
  type BookingOutcome,
  type ChannelLogin,
  draftFor,
  newRef,
  requestOf,
  sendBooking,
} from './book-request.js';
import { Prose } from '../../../parts/prose.js';
import { halvesOf } from '../../requests/words.js';
import { phasesOf, phaseWords } from '../../scenarios/catalogue.js';
import { type CourseDay, freeAt, type SheetDay, type SheetTime } from '../cells.js';
import { dayName, hourOf, money, policyWords } from '../words.js';

interface BookDialogProps {
  readonly day: SheetDay;
  readonly course: CourseDay;
  readonly teeTime: SheetTime;
  readonly players: number;
  readonly logins: readonly ChannelLogin[];
  readonly close: () => void;
  readonly done: () => unknown;
}

/** Books a tee time as a channel: a call of the service, with the credentials of the channel. */
export function BookDialog({ day, course, teeTime, players, logins, close, done }: BookDialogProps) {
  const [draft, setDraft] = useState(() => draftFor(day, course, teeTime, players, logins));
  const [outcome, setOutcome] = useState<BookingOutcome>();
  const [request, setRequest] = useState<RequestRow>();
  const [busy, setBusy] = useState(false);
  const ref = useMemo(newRef, []);
  const change = (changes: Partial<BookingDraft>) => setDraft((old) => ({ ...old, ...changes }));
  const login = logins.find(({ name }) => name === draft.channel);
  const rounds = furtherRounds(course, teeTime, draft, localTime(day.timeZone, minute.value));
  const teeTimes = [teeTime, ...rounds.map(({ chosen }) => chosen).filter((one) => one !== undefined)];
  const body = bodyOf(day, course, teeTimes, draft, ref);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!login) return;
    setBusy(true);
    const result = await sendBooking(login, body, draft.failure);
    setBusy(false);
    await done();
    if (!result.booked) {
      setRequest(await requestOf(result, draft.channel).catch(() => undefined));
      return setOutcome(result);
    }
    toast(`${draft.channel} booked ${hourOf(teeTime.time)}: ${result.message}`);
    close();
  };
  return (
    <Dialog title={`Book ${hourOf(teeTime.time)}, ${dayName(day.date)}`} close={close}>
      <form onSubmit={submit} class="book-form">
        <p class="about">{`${day.name}, ${course.name}. ${policyWords(day)}`}</p>
        <Choices {...{ day, course, teeTime, logins, draft, change }} />
        <Rounds rounds={rounds} choose={(index, teeId) => change({ rounds: withRound(draft.rounds, index, teeId) })} />
        <Contact draft={draft} change={change} />
        <FailureField draft={draft} change={change} />
        {outcome && <Failed outcome={outcome} request={request} />}
        <div class="dialog-actions">
          {login && (
            <CopyButton
              text={() => bookingCurl(login, body, draft.failure)}
              name="the booking as curl"
              label="Copy as curl"
            />
          )}
          <button type="submit" class="button primary" disabled={busy || !login} autofocus>
            {outcome?.status === 0 ? 'Book again' : 'Book'} as {draft.channel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** The further rounds of the chosen product, with the tee times that suit. */
function furtherRounds(
  course: CourseDay,
  teeTime: SheetTime,
  { productId, rounds, players }: BookingDraft,
  now: string,
) {
  const linked = teeTime.linked.find((one) => one.productId === productId);
  const count = linked ? linked.rounds - 1 : 0;
  const offered = course.teeTimes.filter(
    (one) => one.teeId !== teeTime.teeId && freeAt(one, now) >= players && one.productIds.includes(productId),
  );
  return Array.from({ length: count }, (_, index) => {
    const wanted = rounds[index] ?? linked!.teeIds[index];
    const chosen = offered.find(({ teeId }) => teeId === wanted) ?? offered.find(({ time }) => time > teeTime.time);
    return { round: index + 2, chosen, offered };
  });
}

function Rounds({
  rounds,
  choose,
}: {
  readonly rounds: ReturnType<typeof furtherRounds>;
  readonly choose: (index: number, teeId: number) => void;
}) {
  return (
    <>
      {rounds.map(({ round, chosen, offered }, index) => (
        <SelectField
          key={round}
          label={`Round ${round}`}
          value={String(chosen?.teeId ?? '')}
          change={(teeId) => choose(index, Number(teeId))}
          options={offered.map((one) => [String(one.teeId), `${hourOf(one.time)}, ${one.free} free`])}
        />
      ))}
    </>
  );
}

function withRound(rounds: readonly (number | undefined)[], index: number, teeId: number): (number | undefined)[] {
  const next = [...rounds];
  next[index] = teeId;
  return next;
}

type ChangeDraft = (changes: Partial<BookingDraft>) => void;

function Choices({
  day,
  course,
  teeTime,
  logins,
  draft,
  change,
}: Pick<BookDialogProps, 'day' | 'course' | 'teeTime' | 'logins'> & {
  readonly draft: BookingDraft;
  readonly change: ChangeDraft;
}) {
  const products = course.products.filter(({ productId }) => teeTime.productIds.includes(productId));
  const isLinked = (productId: number) => teeTime.linked.some((one) => one.productId === productId);
  return (
    <>
      <div class="two">
        <SelectField
          label="Channel"
          value={draft.channel}
          change={(channel) => change({ channel })}
          options={logins.map(({ name }) => [name, day.channels.includes(name) ? name : `${name} (not connected)`])}
        />
        <SelectField
          label="Players"
          value={String(draft.players)}
          change={(count) => change({ players: Number(count) })}
          options={[1, 2, 3, 4].map((count) => [
            String(count),
            count > teeTime.free ? `${count} (too many)` : `${count}`,
          ])}
        />
      </div>
      <SelectField
        label="Product"
        value={String(draft.productId)}
        change={(productId) => change({ productId: Number(productId), rounds: [] })}
        options={products.map(({ productId, name, prices }) => [
          String(productId),
          `${name}${isLinked(productId) ? ', linked' : ''}: ${money(prices[draft.players - 1]!.price, day.currency)}`,
        ])}
      />
    </>
  );
}

function Contact({ draft, change }: { readonly draft: BookingDraft; readonly change: ChangeDraft }) {
  return (
    <>
      <div class="two">
        <TextField label="First name" value={draft.firstName} change={(firstName) => change({ firstName })} />
        <TextField label="Last name" value={draft.lastName} change={(lastName) => change({ lastName })} />
        <TextField label="Phone" type="tel" value={draft.phone} change={(phone) => change({ phone })} />
        <TextField label="E-mail" value={draft.email} change={(email) => change({ email })} />
      </div>
      {draft.players > 1 && (
        <TextArea
          label="Other players, one a line"
          rows={draft.players - 1}
          value={draft.others}
          change={(others) => change({ others })}
        />
      )}
      <TextField label="Comments" value={draft.comments} change={(comments) => change({ comments })} />
    </>
  );
}

/** The scenarios that a booking can trigger, in each of their phases. */
function FailureField({ draft, change }: { readonly draft: BookingDraft; readonly change: ChangeDraft }) {
  const scenarios = useCall(call('GET', 'scenarios')).data?.scenarios ?? [];
  const fitting = scenarios.filter(({ appliesTo }) => appliesTo.includes('v5.createBooking'));
  const options = fitting.flatMap((one) =>
    phasesOf(one).map(
      (phase) => [`${one.id}; phase=${phase}`, `${one.title}, ${phaseWords[phase].toLowerCase()}`] as const,
    ),
  );
  return (
    <SelectField
      label="Failure"
      value={draft.failure}
      change={(failure) => change({ failure })}
      options={[['', 'None'], ...options]}
    />
  );
}

interface FailedProps {
  readonly outcome: BookingOutcome;
  readonly request: RequestRow | undefined;
}

/** What the client was told, and what is true where that differs. */
function Failed({ outcome: { status, message, requestId }, request }: FailedProps) {
  const halves = request && halvesOf(request);
  const told = halves ? 'Client was told: ' : 'Refused with ';
  return (
    <div class="failure" role="alert">
      <p>
        {status === 0 ? '' : `${told}${status}: `}
        <Prose text={message} />
      </p>
      {halves && <p>{`True: ${halves.truth}. The client may not know.`}</p>}
      <p>
        {(halves ?? requestId === null) && (
          <a href={hrefOf(['bookings'])}>{halves ? 'See the booking' : 'See whether it was booked'}</a>
        )}{' '}
        {requestId !== null && <a href={hrefOf(['requests', requestId])}>Explain {requestId}</a>}
      </p>
    </div>
  );
}

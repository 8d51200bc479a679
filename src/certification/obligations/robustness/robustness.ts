import { type ObligationId, rules } from '../../../contract/index.js';
import { keepNewest } from '../bounded.js';
import { OfferBook, offersOf, resultsOf } from '../bookings/offers.js';
import { requestedBookingsOf } from '../bookings/requested-bookings.js';
import type { Exhibit, ObligationSpec, Sight } from '../obligation.js';
import { identityOf, isCreation, isSuccess, isUnreadable, nameOf } from '../operations.js';
import { answerOf, type ClientCall, type ClientDelivery, readOnce, type SessionFacts } from '../traffic.js';
import { isObject } from '../../../common/index.js';

const documented = new Set(['success', 'data', 'message', ...rules.flatMap(({ field }) => field?.name ?? [])]);
/** How many elements of a list, and how many values of an answer, are looked at. */
const MAX_ELEMENTS = 5;
const MAX_VALUES = 2000;

/** What is special about the form of an answer. */
interface AnswerForm {
  hasUnknownFields: boolean;
  hasNulls: boolean;
  hasEmptyList: boolean;
}

const noForm: Readonly<AnswerForm> = { hasUnknownFields: false, hasNulls: false, hasEmptyList: false };

/** The form of the data of an answer; the beginnings of its lists count. */
function formOf(data: unknown): AnswerForm {
  return typeof data === 'object' && data !== null ? formIn(data) : noForm;
}

const formIn = readOnce((data: object): AnswerForm => {
  const form = { ...noForm };
  const rest: unknown[] = [data];
  for (let count = 0; rest.length > 0 && count < MAX_VALUES; count += 1) {
    const value = rest.pop();
    if (Array.isArray(value)) {
      form.hasEmptyList ||= value.length === 0;
      rest.push(...value.slice(0, MAX_ELEMENTS));
    } else if (isObject(value)) {
      form.hasUnknownFields ||= Object.keys(value).some((name) => !documented.has(name));
      form.hasNulls ||= Object.values(value).includes(null);
      rest.push(...Object.values(value));
    }
  }
  return form;
});

const MAX_SHOWN = 5;
const MAX_TEE_TIMES = 10_000;

/** In an exam that varies one form, the verdict depends on how the client ended. */
function checkEnd(sight: Sight, id: ObligationId, facts: SessionFacts, seen: readonly Exhibit[], form: string): void {
  const { blames, clientOk } = facts;
  if (seen.length === 0) return;
  if (clientOk === true) return sight.met(...seen);
  if (blames !== id || clientOk !== false) return;
  sight.broken({
    message: `The client failed where ${form}, and ended well where nothing else differed.${endingOf(facts)}`,
    expected: `It does the same where ${form}.`,
    evidence: seen,
    isOfEnding: true,
  });
}

/** Where the client's tests first did something else than on the happy path, and what they said. */
function endingOf({ lastAsUsual, clientSaid }: SessionFacts): string {
  const last = lastAsUsual === undefined ? '' : ` After ${lastAsUsual}, it did not go on as on the happy path.`;
  return clientSaid === undefined ? last : `${last} It said: ${clientSaid.slice(0, 200).replace(/[.!\s]*$/, '.')}`;
}

/** Answers in a form that a client must survive: it books from one, or it comes to a good end. */
function survives(id: ObligationId, form: string, has: (form: AnswerForm) => boolean): ObligationSpec {
  return {
    id,
    isOfAllWorlds: true,
    watch(sight) {
      const seen: Exhibit[] = [];
      const teeTimes = new Map<string, Exhibit>();
      /** Of refreshes, which show only that a client cannot read them. */
      const refreshed: Exhibit[] = [];
      const see = (traffic: ClientCall | ClientDelivery, data: unknown): void => {
        if (!has(formOf(data))) return;
        if (seen.length < MAX_SHOWN) seen.push({ id: traffic.id });
        for (const { facilityId, teeId, seenIn } of offersOf(traffic)) {
          keepNewest(teeTimes, `${facilityId}/${teeId}`, seenIn, MAX_TEE_TIMES);
        }
      };
      return {
        call(call) {
          if (!isSuccess(call)) return;
          for (const { facilityId, teeId } of requestedBookingsOf(call)) {
            const offered = teeTimes.get(`${facilityId}/${teeId}`);
            if (offered) sight.met(offered, call);
          }
          const { data } = answerOf(call);
          if (nameOf(call) !== 'refreshToken') see(call, data);
          else if (has(formOf(data)) && refreshed.length < MAX_SHOWN) refreshed.push({ id: call.id });
        },
        delivery: (delivery) => see(delivery, resultsOf(delivery)),
        end: (facts) => checkEnd(sight, id, facts, facts.clientOk || seen.length > 0 ? seen : refreshed, form),
      };
    },
  };
}

const lawfulForms: ObligationSpec = {
  id: 'robust.lawful-forms',
  isOfAllWorlds: true,
  watch(sight) {
    let last: ClientCall | undefined;
    return {
      call: (call) => void (last = call),
      end(facts) {
        const { blames, clientOk, lastAsUsual = last?.id } = facts;
        if (blames !== 'robust.lawful-forms' || lastAsUsual === undefined) return;
        if (clientOk === true) return sight.met({ id: lastAsUsual });
        if (clientOk !== false) return;
        sight.broken({
          message: `The client's tests failed where answers have another form, and ended well where nothing differed.${endingOf(facts)}`,
          expected: 'It does the same, whatever the form of an answer that the API specification allows.',
          evidence: [{ id: lastAsUsual }],
          isOfEnding: true,
        });
      },
    };
  },
};

const emptyLists: ObligationSpec = {
  id: 'robust.empty-lists',
  isOfAllWorlds: true,
  watch(sight) {
    const seen: Exhibit[] = [];
    let open: Exhibit | undefined;
    let after: Exhibit | undefined;
    return {
      call(call) {
        if (nameOf(call) === 'refreshToken') return;
        if (open) after ??= { id: call.id };
        if (!isSuccess(call) || !formOf(answerOf(call).data).hasEmptyList || !isList(call)) return;
        open ??= { id: call.id };
        if (seen.length < MAX_SHOWN) seen.push({ id: call.id });
      },
      end(facts) {
        if (open && after && facts.clientOk === undefined) sight.met(open, after);
        checkEnd(sight, 'robust.empty-lists', facts, seen, 'lists are empty');
      },
    };
  },
};

/** Whether the empty list is the matter of a call: every tee time has some list that is empty. */
function isList(call: ClientCall): boolean {
  const { data } = answerOf(call);
  const { records, teeTimeV2, teeTimeV3, images } = (data ?? {}) as Readonly<Record<string, unknown>>;
  return [data, records, teeTimeV2, teeTimeV3, images].some((list) => Array.isArray(list) && list.length === 0);
}

const notAscii = /[\u0080-\uffff]/;
/** A replacement character, or UTF-8 that was read as Latin-1. */
const mangled = /\ufffd|[\u00c2\u00c3][\u0080-\u00bf]/;

const nonAscii: ObligationSpec = {
  id: 'robust.non-ascii',
  watch(sight) {
    const book = new OfferBook();
    const expected = 'Names go back to the service as they came from it, with the same letters.';
    const checkBooking = (call: ClientCall): void => {
      const broken = requestedBookingsOf(call).flatMap((requested) => {
        const offers = book.of(requested.facilityId, requested.teeId);
        const names = offers.flatMap(({ course }) => course ?? []);
        const isOther = names.every((name) => notAscii.test(name) && !isSame(name, requested.course ?? name));
        return isOther && names.length > 0 ? [{ offer: offers.at(-1)!, course: requested.course! }] : [];
      })[0];
      if (broken) {
        const { offer, course } = broken;
        const message = `The client booked the course \`${course.slice(0, 80)}\`, which the service calls \`${offer.course!.slice(0, 80)}\`.`;
        return sight.broken({ message, expected, evidence: [offer.seenIn, call] });
      }
      const text = call.body ?? '';
      if (mangled.test(text)) {
        const message = 'A booking has letters that were damaged on their way, such as `\ufffd` or `Ã©`.';
        return sight.broken({ message, expected, evidence: [call] });
      }
      const isSpecial = notAscii.test(text) || /\\u(?!00[0-7])[\da-f]{4}/i.test(text);
      if (isSuccess(call) && isSpecial) sight.met(call);
    };
    return {
      call(call) {
        if (isCreation(call)) checkBooking(call);
        book.call(call);
      },
      delivery: (delivery) => book.delivery(delivery),
    };
  },
};

function isSame(one: string, other: string): boolean {
  return one.trim().normalize('NFC') === other.trim().normalize('NFC');
}

/** The same request this often in a row, within so many milliseconds, is no patience. */
const MAX_IN_A_ROW = 50;
const WHILE = 10_000;
const MAX_ROWS = 100;

interface Row {
  readonly request: string;
  readonly first: Exhibit;
  readonly since: number;
  count: number;
}

const outage: ObligationSpec = {
  id: 'robust.outage',
  watch(sight) {
    /** The same request in a row, by test. */
    const rows = new Map<string | undefined, Row>();
    const failed = new Map<string, Exhibit>();
    return {
      call(call) {
        const name = nameOf(call) ?? call.path.split('?', 1)[0]!;
        const isDown = call.status === 0 || call.status >= 500 || isUnreadable(call);
        if (!isDown) {
          const before = failed.get(name);
          if (before && isSuccess(call)) sight.met(before, call);
          failed.delete(name);
          rows.delete(call.test);
          return;
        }
        if (!failed.has(name)) keepNewest(failed, name, { id: call.id }, MAX_TEE_TIMES);
        const request = identityOf(call);
        let row = rows.get(call.test);
        if (row?.request !== request || call.at - row.since > WHILE) {
          row = { request, first: { id: call.id }, since: call.at, count: 0 };
          keepNewest(rows, call.test, row, MAX_ROWS);
        }
        row.count += 1;
        if (row.count !== MAX_IN_A_ROW + 1) return;
        sight.broken({
          message: `The client sent the same request more than ${MAX_IN_A_ROW} times within ${WHILE / 1000} s while the service was down.`,
          expected: 'It waits longer and longer between its attempts, or gives up with a message.',
          evidence: [row.first, call],
          repeats: { call, most: MAX_IN_A_ROW },
        });
      },
      end({ clientOk }) {
        if (clientOk === true) for (const first of [...failed.values()].slice(0, MAX_SHOWN)) sight.met(first);
      },
    };
  },
};

export const robustnessObligations: readonly ObligationSpec[] = [
  survives(
    'robust.unknown-fields',
    'answers have fields that the API specification does not name',
    (form) => form.hasUnknownFields,
  ),
  survives('robust.null-optionals', 'optional fields are null', (form) => form.hasNulls),
  lawfulForms,
  emptyLists,
  nonAscii,
  outage,
];

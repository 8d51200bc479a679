import { useState } from 'preact/hooks';
import { call } from '../../data/api.js';
import { useLive } from '../../data/journal.js';
import { route, setQuery } from '../../data/route.js';
import { AsCurl } from '../../parts/curl.js';
import { SelectField } from '../../parts/field.js';
import { Card, Empty, Failure } from '../../parts/page.js';
import { type Column, Table } from '../../parts/table.js';
import { EventName, EventSubject, lanes, Moment, TimeLeft } from './events.js';
import { moveClock, moving } from './moves.js';
import { type ClockEvent, rangeOf, ranges } from './ranges.js';
import { Timeline } from './timeline.js';

const LIMIT = 1000;

/** What the clock reaches next: drawn, and as a list. */
export function Coming() {
  const command = call('GET', 'clock/next', { query: { limit: LIMIT } });
  const { data, error, reload } = useLive(command);
  const now = Date.parse(data?.now ?? '');
  const range = rangeOf(route.value.query.get('range'), data?.next ?? [], now);
  const lane = lanes.find(({ id }) => id === route.value.query.get('kind'));
  const events = (data?.next ?? []).filter(({ event }) => !lane || lane.events.includes(event));
  return (
    <Card
      title="Coming up"
      about={data && `${data.count} events to come, if nothing else happens.`}
      actions={
        <>
          <SelectField
            label="Timeline of"
            value={range.id}
            change={(id) => setQuery({ range: id })}
            options={ranges.map(({ id, title }) => [id, title])}
          />
          <AsCurl of={command} title="Coming up" />
        </>
      }
    >
      {error && <Failure reason={error} retry={reload} />}
      {data && <Timeline data={data} range={range} />}
      {data && <NextList events={events} key={lane?.id} what={lane?.title} />}
    </Card>
  );
}

const columns: readonly Column<ClockEvent>[] = [
  { title: 'In', cell: ({ at }) => <TimeLeft at={at} /> },
  { title: 'At (UTC)', cell: ({ at }) => <Moment at={at} /> },
  { title: 'Event', cell: (event) => <EventName event={event} /> },
  { title: 'Of', cell: (event) => <EventSubject event={event} /> },
  { title: 'Actions', cell: (event) => <GoThere event={event} /> },
];

function GoThere({ event: { at } }: { readonly event: ClockEvent }) {
  return (
    <button type="button" class="button" disabled={moving.value} onClick={() => void moveClock({ set: at })}>
      Move here
    </button>
  );
}

const FIRST = 10;

function NextList({ events, what }: { readonly events: readonly ClockEvent[]; readonly what: string | undefined }) {
  const [shown, setShown] = useState(FIRST);
  if (events.length === 0) {
    return (
      <Empty title={what ? 'Nothing of this kind is to come' : 'Nothing is to come'} yet>
        Book a tee time, refresh a token or arm a plan.
      </Empty>
    );
  }
  const rows = events.slice(0, shown);
  return (
    <div class="clock-list">
      <Table
        label="Next events"
        columns={columns}
        rows={rows}
        keyOf={({ at, event, bookingId = '', callbackId = '', planId = '', channel = '' }) =>
          [at, event, bookingId, callbackId, planId, channel].join()
        }
      />
      {shown < events.length && (
        <button type="button" class="button" onClick={() => setShown(shown * 4)}>
          {`Show more of ${events.length}`}
        </button>
      )}
    </div>
  );
}

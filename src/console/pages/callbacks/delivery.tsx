import { type AdminType, call } from '../../data/api.js';
import { useCall, usePolling } from '../../data/load.js';
import { hrefOf } from '../../data/route.js';
import { ActionButton } from '../../parts/action.js';
import { StatusBadge } from '../../parts/badge.js';
import { JsonView, parsed } from '../../parts/json-view.js';
import { Card, Facts, Failure } from '../../parts/page.js';
import { UtcTime } from '../../parts/time.js';
import { StateBadge } from './deliveries.js';

const OFTEN_MS = 3000;

/** One result with every attempt to post it. */
export function Delivery({ id }: { readonly id: string }) {
  const { data, error, reload } = useCall(call('GET', 'callbacks/{id}', { path: { id } }));
  usePolling(() => data?.state === 'pending' && reload(), OFTEN_MS, [reload, data]);
  const again = (
    <>
      {data && (
        <ActionButton
          command={call('POST', 'callbacks/{id}/redeliver', { path: { id } })}
          done={({ attempts }) => `It was posted again: ${outcomeOf(attempts.at(-1))}.`}
          then={reload}
          disabled={data.state === 'pending'}
        >
          Redeliver
        </ActionButton>
      )}
      <a class="button quiet" href={hrefOf(['callbacks'])}>
        Close
      </a>
    </>
  );
  return (
    <Card title={`Callback ${id}`} actions={again}>
      {error && <Failure reason={error} />}
      {data && <Overview of={data} />}
      {data && <Attempts of={data.attempts} />}
      {data?.body === null && <p class="about">The body is made with the first attempt.</p>}
      {data && data.body !== null && <JsonView value={parsed(data.body)} name="the posted body" />}
    </Card>
  );
}

function outcomeOf(attempt: AdminType<'Attempt'> | undefined): string {
  if (!attempt) return 'no attempt was made';
  return attempt.status === null ? (attempt.error ?? 'no response') : `the receiver answered with ${attempt.status}`;
}

function Overview({ of: { state, url, channel, requestId, fault } }: { readonly of: AdminType<'Callback'> }) {
  return (
    <Facts
      of={[
        ['State', <StateBadge state={state} />],
        ['Address', <code>{url}</code>],
        ['Request', <a href={hrefOf(['requests', requestId])}>{requestId}</a>],
        ['Channel', channel],
        ...(fault ? [['Scenario', fault] as const] : []),
      ]}
    />
  );
}

function Attempts({ of }: { readonly of: readonly AdminType<'Attempt'>[] }) {
  if (of.length === 0) return <p class="about">No attempt yet.</p>;
  return (
    <ol class="attempts" aria-label="Attempts">
      {of.map((attempt, index) => (
        <li key={index}>
          <span class="about">{`${index + 1}.`}</span>
          <UtcTime at={attempt.at} seconds />
          <StatusBadge status={attempt.status ?? 0} />
          {attempt.error && <span class="about">{attempt.error}</span>}
        </li>
      ))}
    </ol>
  );
}

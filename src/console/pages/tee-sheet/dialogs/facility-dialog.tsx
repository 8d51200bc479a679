import { call } from '../../../data/api.js';
import { useLive } from '../../../data/journal.js';
import { ActionButton } from '../../../parts/action.js';
import { Badge } from '../../../parts/badge.js';
import { Dialog } from '../../../parts/dialog.js';
import { Facts } from '../../../parts/page.js';
import type { SheetDay } from '../cells.js';
import { connectCommand, disconnectCommand, undoAllCommand } from './changes.js';
import { policyWords } from '../words.js';

interface FacilityDialogProps {
  readonly day: SheetDay;
  readonly channels: readonly string[];
  readonly close: () => void;
  readonly done: () => unknown;
}

/** A facility: its channels, its policy, and what its operator has changed. */
export function FacilityDialog({ day, channels, close, done }: FacilityDialogProps) {
  const path = { facilityId: String(day.facilityId) };
  const { data, reload } = useLive(call('GET', 'tee-sheets/{facilityId}/changes', { path }));
  const changes = data?.changes ?? [];
  const lost = changes.flatMap(({ change, channel }) => (change === 'facility-disconnected' ? [channel] : []));
  const then = () => Promise.all([done(), reload()]);
  return (
    <Dialog title={day.name} close={close}>
      <FacilityFacts day={day} changes={changes.length} />
      <ul class="connections">
        {channels.map((channel) => (
          <li key={channel}>
            <strong>{channel}</strong>
            <Connection day={day} channel={channel} lost={lost.includes(channel)} then={then} />
          </li>
        ))}
      </ul>
      {changes.length > 0 && (
        <div class="dialog-actions">
          <ActionButton command={undoAllCommand(day)} done={({ undone }) => `Undone: ${undone}.`} then={then}>
            Undo all changes
          </ActionButton>
        </div>
      )}
    </Dialog>
  );
}

function FacilityFacts({ day, changes }: { readonly day: SheetDay; readonly changes: number }) {
  return (
    <Facts
      of={[
        ['Facility', day.facilityId],
        ['Time zone', day.timeZone],
        ['Currency', day.currency],
        ['Policy', policyWords(day)],
        ['Changes in force', changes],
        ...(day.scenario === null ? [] : [['Scenario of every booking', day.scenario] as const]),
      ]}
    />
  );
}

interface ConnectionProps {
  readonly day: SheetDay;
  readonly channel: string;
  readonly lost: boolean;
  readonly then: () => unknown;
}

function Connection({ day, channel, lost, then }: ConnectionProps) {
  if (day.channels.includes(channel)) {
    return (
      <>
        <Badge tone="ok">connected</Badge>
        <ActionButton command={disconnectCommand(day, channel)} done={`${channel} was disconnected.`} then={then}>
          Disconnect
        </ActionButton>
      </>
    );
  }
  if (!lost) return <Badge>not connected</Badge>;
  return (
    <>
      <Badge tone="warn">disconnected</Badge>
      <ActionButton command={connectCommand(day, channel)} done={`${channel} is connected again.`} then={then}>
        Connect
      </ActionButton>
    </>
  );
}

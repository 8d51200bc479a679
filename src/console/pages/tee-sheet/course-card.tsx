import { useMemo, useState } from 'preact/hooks';
import { counted } from '../../../common/index.js';
import { act, ActionButton } from '../../parts/action.js';
import { Card, Empty } from '../../parts/page.js';
import { bookingsOf, type CourseDay, type SheetDay, type SheetRow } from './cells.js';
import {
  changesOfDay,
  dayCommand,
  restoreCommand,
  rivalCommand,
  undoDayCommand,
  withdrawCommand,
} from './dialogs/changes.js';
import type { SheetChoice } from './dialogs/choice.js';
import { CourseDialog } from './dialogs/course-dialog.js';
import type { ChannelLogin } from './dialogs/book-request.js';
import { Strip } from './strip.js';
import { useCancelled, useLost } from './marks.js';
import { Legend } from './grid/legend.js';
import { SheetGrid } from './grid/sheet-grid.js';
import { hourOf } from './words.js';

interface CourseCardProps {
  readonly day: SheetDay;
  readonly course: CourseDay;
  readonly logins: readonly ChannelLogin[];
  readonly reload: () => unknown;
  /** Opens what the facility offers. */
  readonly openFacility: () => void;
}

/** The channels in the order of their colours. */
export function coloursOf(logins: readonly ChannelLogin[]): readonly string[] {
  return [...logins.map(({ name }) => name), 'rivals'];
}

/** One day of a course: what can be done to it, its grid, and what is open over it. */
export function CourseCard({ day, course, logins, reload, openFacility }: CourseCardProps) {
  const [choice, setChoice] = useState<SheetChoice>();
  const channels = coloursOf(logins);
  const cancelled = useCancelled(day, course);
  const lost = useLost(useMemo(() => bookingsOf(course), [course]));
  const shortcut = (key: string, row: SheetRow): boolean => {
    const work = shortcutOf(key, day, course, row);
    if (work) void work().then((succeeded) => succeeded && reload());
    return work !== undefined;
  };
  return (
    <Card
      title={`${day.name}, ${course.name}`}
      about={course.closed ? undefined : <Legend {...{ day, course, channels }} lost={lost.size} />}
      actions={
        <>
          <button type="button" class="button" aria-haspopup="dialog" onClick={openFacility}>
            Channels and policy
          </button>
          {!course.closed && <DayActions {...{ day, course, reload }} />}
        </>
      }
      flush
    >
      {course.closed ? (
        <Empty title="Closed">{course.closed.words}</Empty>
      ) : (
        <>
          <Strip {...{ day, course, channels, lost }} />
          <SheetGrid
            {...{ day, course, channels, cancelled, lost, shortcut }}
            choose={setChoice}
            covered={choice !== undefined}
          />
          <p class="hint keys">
            Arrow keys move, <kbd>Enter</kbd> opens, <kbd>R</kbd> lets a rival take a slot, <kbd>W</kbd> withdraws a tee
            time or puts it back, <kbd>+</kbd> raises the prices of the day.
          </p>
        </>
      )}
      {choice && (
        <CourseDialog {...{ day, course, logins, cancelled, lost, choice }} choose={setChoice} done={reload} />
      )}
    </Card>
  );
}

/** What a letter does at once at a tee time. */
function shortcutOf(
  key: string,
  day: SheetDay,
  course: CourseDay,
  row: SheetRow,
): (() => Promise<boolean>) | undefined {
  const { teeId, time } = row.teeTime;
  const hour = hourOf(time);
  if (key === 'r') return () => act(rivalCommand(day, teeId, 1), `A rival booked 1 at ${hour}.`);
  if (key === '+') return () => act(dayCommand(day, course, 'price-changed'), raised);
  if (key !== 'w') return undefined;
  return row.withdrawn
    ? () => act(restoreCommand(day, teeId), `${hour} is for sale again.`)
    : () => act(withdrawCommand(day, teeId), `${hour} was withdrawn.`);
}

const raised = 'The prices of the day rose by a tenth.';

/** What the operator does to the whole day. */
function DayActions({ day, course, reload }: Pick<CourseCardProps, 'day' | 'course' | 'reload'>) {
  const count = changesOfDay(course);
  return (
    <>
      <ActionButton command={dayCommand(day, course, 'price-changed')} done={raised} then={reload}>
        Raise prices 10 %
      </ActionButton>
      <ActionButton
        command={dayCommand(day, course, 'sold-out')}
        done="The day is sold out."
        then={reload}
        disabled={course.soldOut}
      >
        Sell out
      </ActionButton>
      {count > 0 && (
        <ActionButton command={undoDayCommand(day, course)} done={({ undone }) => `Undone: ${undone}.`} then={reload}>
          {`Undo ${counted(count, 'change')}`}
        </ActionButton>
      )}
    </>
  );
}

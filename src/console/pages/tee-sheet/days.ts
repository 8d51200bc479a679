import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { call, perform, reasonOf } from '../../data/api.js';
import { useReload } from '../../data/journal.js';
import type { SheetDay } from './cells.js';

const AT_ONCE = 6;
/** How often what has come is drawn. */
const DRAW_MS = 120;
/** Between two readings, so that a load test is not slowed by who watches it. */
const PAUSE_MS = 2000;

/** The sheets of facilities on some days, by facility and date. They come one by one, and are kept current. */
export function useDays(facilityIds: readonly number[], dates: readonly string[]) {
  const [days, setDays] = useState<ReadonlyMap<string, SheetDay>>(new Map());
  const [error, setError] = useState<string>();
  const kept = useRef(new Map<string, SheetDay>());
  const turn = useRef(0);
  const key = [...facilityIds, ...dates].join();
  const read = useCallback(async () => {
    const mine = ++turn.current;
    const isCurrent = () => mine === turn.current;
    const wanted = dates.flatMap((date) => facilityIds.map((id) => ({ id: String(id), date, place: `${id} ${date}` })));
    const places = new Set(wanted.map(({ place }) => place));
    kept.current = new Map([...kept.current].filter(([place]) => places.has(place)));
    const queue = wanted.values();
    const draw = () => isCurrent() && setDays(new Map(kept.current));
    const timer = setInterval(draw, DRAW_MS);
    const work = async () => {
      for (const { id, date, place } of queue) {
        const day = await perform(
          call('GET', 'tee-sheets/{facilityId}', { path: { facilityId: id }, query: { date } }),
        );
        if (!isCurrent()) return;
        // What has not changed stays the same object, and is not drawn again.
        if (JSON.stringify(kept.current.get(place)) !== JSON.stringify(day)) kept.current.set(place, day);
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      if (isCurrent()) setError(undefined);
    } catch (reason) {
      if (isCurrent()) setError(reasonOf(reason));
    }
    clearInterval(timer);
    draw();
  }, [key]);
  useEffect(() => {
    void read();
    return () => void (turn.current += 1);
  }, [read]);
  const later = useRef<ReturnType<typeof setTimeout>>(undefined);
  const reload = useCallback(() => {
    later.current ??= setTimeout(() => {
      later.current = undefined;
      void read();
    }, PAUSE_MS);
  }, [read]);
  useEffect(() => () => clearTimeout(later.current), []);
  useReload(reload, [reload]);
  return { days, error, reload: read };
}

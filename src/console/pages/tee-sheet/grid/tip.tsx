import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** What is said of a cell, line by line, and the cell. */
export interface SheetTip {
  readonly lines: readonly string[];
  readonly of: HTMLElement;
}

const GAP = 6;
const EDGE = 8;

/** Shows what is known of the cell under the pointer or the focus. Escape hides it. */
export function Tip({
  id,
  tip,
  hide,
}: {
  readonly id: string;
  readonly tip: SheetTip | undefined;
  readonly hide: () => void;
}) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!tip) return undefined;
    const place = () => placeBeside(ref.current!, tip.of);
    place();
    addEventListener('scroll', place, { capture: true, passive: true });
    return () => removeEventListener('scroll', place, { capture: true });
  }, [tip]);
  useEffect(() => {
    if (!tip) return undefined;
    const key = (event: KeyboardEvent) => event.key === 'Escape' && hide();
    addEventListener('keydown', key);
    return () => removeEventListener('keydown', key);
  }, [tip, hide]);
  return (
    <div ref={ref} id={id} role="tooltip" class={tip ? 'tip' : 'tip hidden'}>
      {tip?.lines.map((line, index) => (
        <p key={index}>{line}</p>
      ))}
    </div>
  );
}

/** Below the cell, or above it at the end of the screen. */
function placeBeside(box: HTMLElement, cell: HTMLElement): void {
  const { left, top, bottom } = cell.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = box;
  const below = bottom + GAP + height < innerHeight;
  box.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`;
  box.style.top = `${below ? bottom + GAP : Math.max(EDGE, top - GAP - height)}px`;
}

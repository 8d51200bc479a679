import { ChevronDown } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.js';

export interface MenuItem {
  readonly title: string;
  readonly about: ComponentChildren;
  readonly act: () => unknown;
}

/** A box that a button opens, both in the element of `whole`. A click elsewhere and Escape close it. */
export function useBox() {
  const [open, setOpen] = useState(false);
  const whole = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    const leave = ({ target }: Event) => whole.current!.contains(target as Node) || setOpen(false);
    addEventListener('pointerdown', leave);
    return () => removeEventListener('pointerdown', leave);
  }, [open]);
  const close = () => {
    setOpen(false);
    whole.current!.querySelector('button')!.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!open || event.key !== 'Escape') return;
    event.stopPropagation();
    close();
  };
  return { open, toggle: () => setOpen(!open), close, whole, onKeyDown };
}

interface MenuProps {
  readonly label: ComponentChildren;
  /** What all of them are done with. */
  readonly about: string;
  readonly items: () => readonly MenuItem[];
  readonly kind?: '' | 'quiet';
  /** It opens above the button. */
  readonly up?: boolean;
}

/** A button that shows what can be done. */
export function Menu({ label, about, items, kind = '', up = false }: MenuProps) {
  const id = useId();
  const { open, toggle, close, whole, onKeyDown } = useBox();
  return (
    <div class={up ? 'menu-of up' : 'menu-of'} ref={whole} onKeyDown={onKeyDown}>
      <button type="button" class={`button ${kind}`} aria-expanded={open} aria-controls={id} onClick={toggle}>
        {label}
        <Icon of={ChevronDown} size={12} />
      </button>
      <div id={id} class="menu-list" hidden={!open}>
        {open && (
          <>
            <p class="about">{about}</p>
            {items().map(({ title, about: what, act }, index) => (
              <button key={index} type="button" onClick={() => (close(), void act())}>
                {title} <span>{what}</span>
              </button>
            ))}
          </>
        )}
      </div>
    </div>
  );
}

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { go } from '../../data/route.js';
import { Dialog } from '../../parts/dialog.js';
import { paletteIsOpen } from './open.js';
import { type FindGroup, type FoundPage, useFinds } from './finds.js';

const close = () => void (paletteIsOpen.value = false);

/** Leads to whatever has the words that are typed; by keyboard alone. */
export default function Palette({ pages }: { readonly pages: readonly FoundPage[] }) {
  const [text, setText] = useState('');
  const [wanted, setWanted] = useState<string>();
  const groups = useFinds(text, pages);
  const finds = groups.flatMap(([, members]) => members);
  // By its address: what is found later must not move the choice to something else.
  const chosen = Math.max(
    0,
    finds.findIndex(({ href }) => href === wanted),
  );
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current!.focus(), []);
  useEffect(() => document.getElementById(optionId(chosen))?.scrollIntoView({ block: 'nearest' }), [chosen, text]);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: chosen + 1, ArrowUp: chosen - 1 }[event.key];
    if (to !== undefined) setWanted(finds[(to + finds.length) % finds.length]?.href);
    else if (event.key === 'Enter' && finds[chosen]) open(finds[chosen].href);
    else return;
    event.preventDefault();
  };
  const type = (words: string) => {
    setText(words);
    setWanted(undefined);
  };
  return (
    <Dialog title="Go to" close={close}>
      <input
        ref={input}
        class="palette-text"
        role="combobox"
        aria-label="Facility, booking, request, scenario, rule, question or page"
        aria-expanded={finds.length > 0}
        aria-controls="palette-list"
        aria-autocomplete="list"
        aria-activedescendant={finds.length === 0 ? undefined : optionId(chosen)}
        autocomplete="off"
        spellcheck={false}
        placeholder="Facility, booking, request, scenario, rule, page …"
        value={text}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="palette-list" id="palette-list" role="listbox" aria-label="Found" tabIndex={-1}>
        <Groups groups={groups} chosen={chosen} />
      </div>
      {finds.length === 0 && <p class="about" role="status">{`Nothing has “${text.trim()}”.`}</p>}
    </Dialog>
  );
}

function optionId(index: number): string {
  return `palette-${index}`;
}

function open(href: string): void {
  close();
  go(href);
}

function Groups({ groups, chosen }: { readonly groups: readonly FindGroup[]; readonly chosen: number }) {
  let index = 0;
  return (
    <>
      {groups.map(([title, finds]) => (
        <div key={title} role="group" aria-label={title}>
          <p class="nav-title" aria-hidden="true">
            {title}
          </p>
          {finds.map(({ title: name, about, href }) => {
            const own = index++;
            return (
              <div
                key={href}
                id={optionId(own)}
                class="palette-find"
                role="option"
                aria-selected={own === chosen}
                onClick={() => open(href)}
              >
                <strong>{name}</strong> <span>{about}</span>
              </div>
            );
          })}
        </div>
      ))}
    </>
  );
}

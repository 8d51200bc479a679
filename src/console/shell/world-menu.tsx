import { Check, ChevronsUpDown } from 'lucide';
import { useState } from 'preact/hooks';
import { call, perform } from '../data/api.js';
import { consoleUrl, mainUrl, world } from '../data/base.js';
import { useLoad } from '../data/load.js';
import { Icon } from '../parts/icon.js';
import { TextField } from '../parts/field.js';
import { useBox } from '../parts/menu.js';

/** The world of this page, and the way to the others and to a new one. */
export function WorldMenu() {
  const { open, toggle, whole, onKeyDown } = useBox();
  return (
    <div class="world-menu" ref={whole} onKeyDown={onKeyDown}>
      <button type="button" class="button quiet" aria-expanded={open} aria-controls="worlds" onClick={toggle}>
        <span class="unseen">World: </span>
        <span class="name">{world ?? 'main'}</span>
        <Icon of={ChevronsUpDown} size={12} />
      </button>
      <div id="worlds" class="menu-box" hidden={!open}>
        {open && <Worlds />}
      </div>
    </div>
  );
}

/** Only the main world knows the others. */
function Worlds() {
  // Where there is no main world, this one is all that can be shown.
  const { data } = useLoad(() => perform(call('GET', 'worlds'), mainUrl), []);
  const others = (data?.worlds ?? []).map(({ name }) => name).sort();
  const names = [undefined, ...new Set([...(world === undefined ? [] : [world]), ...others])];
  return (
    <>
      <ul aria-label="Worlds">
        {names.map((name) => (
          <li key={name ?? ''}>
            <a href={consoleUrl(name)} aria-current={name === world ? 'page' : undefined}>
              <span class="name">{name ?? 'main'}</span>
              {name === world && <Icon of={Check} size={14} />}
            </a>
          </li>
        ))}
      </ul>
      <OpenWorld />
    </>
  );
}

/** Opens a world by its name, which creates it if there is none. */
export function OpenWorld() {
  const [name, setName] = useState('');
  const fits = /^[A-Za-z0-9][\w.-]{0,63}$/.test(name);
  const open = (event: Event) => {
    event.preventDefault();
    if (fits) location.assign(consoleUrl(name));
  };
  return (
    <form class="inline-form" onSubmit={open}>
      <TextField label="Open a world" value={name} change={setName} placeholder="run-7" />
      <button type="submit" class="button" disabled={!fits}>
        Open
      </button>
    </form>
  );
}

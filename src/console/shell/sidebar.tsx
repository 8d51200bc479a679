import { type IconNode, Menu, Monitor, Moon, Search, Sun, X } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import { noServer } from '../data/api.js';
import { board, type Note } from '../data/board.js';
import { liveState } from '../data/live.js';
import { paletteIsOpen, paletteKeys } from './palette/open.js';
import { WorldMenu } from './world-menu.js';
import { sandboxClock } from '../data/clock.js';
import { guideAt, guides } from '../data/guides.js';
import { hrefOf, route } from '../data/route.js';
import { type ConsolePage, pages } from '../pages/index.js';
import { Icon } from '../parts/icon.js';
import { UtcTime } from '../parts/time.js';
import { type Theme, theme } from '../data/theme.js';

const choices: readonly (readonly [value: Theme, label: string, icon: IconNode])[] = [
  ['system', 'Colours of the system', Monitor],
  ['light', 'Light colours', Sun],
  ['dark', 'Dark colours', Moon],
];

/** Light or dark, or as the system has it. */
function ThemeSwitch() {
  return (
    <div class="segments theme-switch" role="group" aria-label="Colours">
      {choices.map(([value, label, icon]) => (
        <button
          key={value}
          type="button"
          title={label}
          aria-pressed={theme.value === value}
          onClick={() => (theme.value = value)}
        >
          <Icon of={icon} size={14} />
          <span class="unseen">{label}</span>
        </button>
      ))}
    </div>
  );
}

/** A flag on a green. */
function Logo() {
  return (
    <svg class="logo" width="28" height="28" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" />
      <ellipse cx="16" cy="24.5" rx="8" ry="2.2" />
      <path class="pole" d="M13 6v17" />
      <path class="flag" d="M13 6.5l9 4-9 4z" />
    </svg>
  );
}

/** The navigation: a column beside the page, or a bar with a menu on a narrow screen. */
export function Sidebar() {
  const [open, setOpen] = useState(false);
  const current = route.value.page || pages[0]!.id;
  useEffect(() => setOpen(false), [route.value]);
  return (
    <header class={open ? 'sidebar open' : 'sidebar'} onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}>
      <div class="brand">
        <a href="#/" class="home">
          <Logo />
          Teebox
        </a>
        <WorldMenu />
        <button
          type="button"
          class="button quiet bare menu"
          aria-expanded={open}
          aria-controls="navigation"
          onClick={() => setOpen(!open)}
        >
          <Icon of={open ? X : Menu} size={20} />
          <span class="unseen">Menu</span>
        </button>
      </div>
      <div class="drawer" id="navigation">
        <button type="button" class="button go-to" onClick={() => (paletteIsOpen.value = true)}>
          <Icon of={Search} size={14} />
          Go to
          <kbd>{paletteKeys}</kbd>
        </button>
        <nav aria-label="Pages">
          {groups.map(([title, members]) => (
            <Group key={title} title={title} members={members} current={current} />
          ))}
        </nav>
        <div class="foot">
          <ClockLine />
          <ThemeSwitch />
        </div>
      </div>
    </header>
  );
}

/** Groups in the order of their first page. */
const groups = [...new Set(pages.map(({ group = '' }) => group))].map(
  (title) => [title, pages.filter(({ group = '' }) => group === title)] as const,
);

interface GroupProps {
  readonly title: string;
  readonly members: readonly ConsolePage[];
  readonly current: string;
}

function Group({ title, members, current }: GroupProps) {
  return (
    <div class="nav-group">
      {title && <p class="nav-title">{title}</p>}
      <ul>
        {members.map(({ id, title: name, icon }) => (
          <li key={id}>
            <a
              href={id === 'docs' ? guideAt(guides[current] ?? '') : hrefOf([id])}
              aria-current={id === current ? 'page' : undefined}
            >
              <Icon of={icon} />
              {name}
              {board.value[id]?.map((note) => (
                <NoteMark key={note.text} of={note} />
              ))}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function NoteMark({ of: { text, about, tone } }: { readonly of: Note }) {
  return (
    <span class={`badge note ${tone ?? ''}`} title={`${text} ${about}`}>
      {text}
      <span class="unseen"> {about}</span>
    </span>
  );
}

function ClockLine() {
  const clock = sandboxClock.value;
  const isLost = liveState.value === 'lost';
  if (isLost) {
    return (
      <p class="clock-line" role="status" title={noServer}>
        <span class="dot lost" aria-hidden="true" />
        The server does not answer
      </p>
    );
  }
  if (!clock) return <p class="clock-line">…</p>;
  return (
    <p class="clock-line" title="The clock of the sandbox">
      <span class={`dot ${clock.mode === 'running' ? 'running' : 'frozen'}`} aria-hidden="true" />
      <UtcTime at={new Date(clock.now).toISOString()} />
    </p>
  );
}

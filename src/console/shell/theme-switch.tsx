import { type IconNode, Monitor, Moon, Sun } from 'lucide';
import { type Theme, theme } from '../data/theme.js';
import { Icon } from '../parts/icon.js';

const choices: readonly (readonly [value: Theme, label: string, icon: IconNode])[] = [
  ['system', 'Colours of the system', Monitor],
  ['light', 'Light colours', Sun],
  ['dark', 'Dark colours', Moon],
];

/** Light or dark, or as the system has it. */
export function ThemeSwitch() {
  return (
    <div class="theme-switch" role="group" aria-label="Colours">
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

import { effect, signal } from '@preact/signals';

const KEY = 'teebox-theme';
const themes = ['system', 'light', 'dark'] as const;

export type Theme = (typeof themes)[number];

/** The chosen colours, kept in this browser. */
export const theme = signal<Theme>(readTheme());

function readTheme(): Theme {
  try {
    return themes.find((one) => one === localStorage.getItem(KEY)) ?? 'system';
  } catch {
    return 'system';
  }
}

effect(() => {
  const { value } = theme;
  if (value === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = value;
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // A browser that keeps nothing forgets the choice.
  }
});

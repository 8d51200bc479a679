import { useEffect, useRef, useState } from 'preact/hooks';
import { baseUrl } from '../../data/base.js';
import { isDark } from '../../data/theme.js';
import { token } from '../../data/token.js';
import { Failure } from '../../parts/page.js';
import type { ApiLogin } from './viewer.js';

export type ViewedDocument = 'api' | 'admin';

/** Swagger UI with one document. Its code and its style, which are large, are loaded when it is first shown. */
export function ApiViewer({
  of,
  channel,
}: {
  readonly of: ViewedDocument;
  readonly channel: { readonly username: string; readonly password: string };
}) {
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'shown' | Error>('loading');
  useEffect(() => {
    const login: ApiLogin = of === 'api' ? channel : { token: token.value };
    let left = false;
    Promise.all([import('./viewer.js'), loadStyle()]).then(
      ([{ show }]) => left || show(place.current!, { of, server: baseUrl, login, ready: () => setState('shown') }),
      (reason: Error) => setState(reason),
    );
    return () => void (left = true);
  }, []);
  useDarkMode();
  return (
    <div class="card">
      {state === 'loading' && <p class="loading">Loading…</p>}
      {state instanceof Error && <Failure reason={`Failed to load the viewer: ${state.message}`} />}
      <div ref={place} />
    </div>
  );
}

let style: Promise<void> | undefined;

function loadStyle(): Promise<void> {
  style ??= new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = document.getElementById('console')!.dataset['viewerStyle']!;
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => reject(new Error('its style did not arrive.')));
    document.head.append(link);
  });
  return style;
}

/** The viewer is dark where the root of the page has its class. */
function useDarkMode(): void {
  const dark = isDark.value;
  useEffect(() => {
    document.documentElement.classList.toggle('dark-mode', dark);
    return () => document.documentElement.classList.remove('dark-mode');
  }, [dark]);
}

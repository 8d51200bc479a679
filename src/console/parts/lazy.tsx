import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { reasonOf } from '../data/api.js';
import { Failure } from './page.js';

/** A component that is loaded when it is first shown, as the page would be too large with all of them. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let found: ComponentType<P> | undefined;
  return function Lazy(props) {
    const [Content, setContent] = useState(() => found);
    const [error, setError] = useState<string>();
    useEffect(() => {
      if (found) return;
      load().then(
        (loaded) => setContent(() => (found = loaded)),
        (reason) => setError(reasonOf(reason)),
      );
    }, []);
    if (Content) return <Content {...props} />;
    return error === undefined ? <p class="loading">Loading…</p> : <Failure reason={error} />;
  };
}

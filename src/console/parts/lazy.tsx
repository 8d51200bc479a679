import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { noServer } from '../data/api.js';
import { liveState } from '../data/live.js';
import { Failure } from './page.js';

const GONE = 'This page could not be loaded. If the server was updated, reload the browser tab.';

/** A component that is loaded when it is first shown, as the page would be too large with all of them. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let found: ComponentType<P> | undefined;
  return function Lazy(props) {
    const [Content, setContent] = useState(() => found);
    const [failed, setFailed] = useState(false);
    const read = () => {
      setFailed(false);
      load().then(
        (loaded) => setContent(() => (found = loaded)),
        () => setFailed(true),
      );
    };
    const state = liveState.value;
    useEffect(() => void (!found && read()), []);
    useEffect(() => void (failed && state === 'live' && read()), [state]);
    if (Content) return <Content {...props} />;
    if (!failed) return <p class="loading">Loading…</p>;
    return <Failure reason={state === 'lost' ? noServer : GONE} retry={read} />;
  };
}

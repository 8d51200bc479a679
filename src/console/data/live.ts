import { signal } from '@preact/signals';

/** How the live events are: `off` while nobody listens, `ended` if the world is gone. */
export const liveState = signal<'off' | 'connecting' | 'live' | 'lost' | 'ended'>('off');

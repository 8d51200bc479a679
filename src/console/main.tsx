import { render } from 'preact';
import { startClock } from './data/clock.js';
import { App } from './shell/app.js';

const root = document.getElementById('console')!;
root.replaceChildren();
render(<App />, root);
startClock();

import { render } from 'preact';
import { startBoard } from './data/board.js';
import { startClock } from './data/clock.js';
import { App } from './shell/app.js';
import { listenForPalette } from './shell/palette/open.js';

const root = document.getElementById('console')!;
root.replaceChildren();
render(<App />, root);
startClock();
startBoard();
listenForPalette();

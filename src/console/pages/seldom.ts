/** Pages that are seldom opened, and the palette, in a file of their own. One file for all of them: each further one takes room for itself. */
export { default as Palette } from '../shell/palette/palette.js';
export { default as DialectPage } from './dialect/dialect.js';
export { default as ReferencePage } from './reference/reference.js';
export { default as ReplayPage } from './requests/replay/replay.js';
export { default as StatePage } from './state/state.js';

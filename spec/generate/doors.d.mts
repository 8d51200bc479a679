import type { Plugin } from 'esbuild';

/** What a file imports from the door of a wing comes straight from the file that declares it. */
export const doorsOfWings: Plugin;

import { filePath, type Flag } from '../args.js';

/** The files that are read where no other is named. */
export const usualFiles = ['teebox.config.yaml', 'teebox.config.yml', 'teebox.config.json'] as const;

/** The flag of commands with a section in the configuration file. */
export const configFlag = {
  value: 'FILE',
  help: 'the configuration file (teebox.config.yaml, .yml or .json, if there is one)',
  ...filePath,
} as const satisfies Flag<string>;

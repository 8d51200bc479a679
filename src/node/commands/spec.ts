import { toggle } from '../args.js';
import { defineCommand, refuseWords } from './command.js';

/** Each document is large and loaded only when it is printed. */
export const command = defineCommand({
  usage: 'spec [--admin]',
  what: 'Prints the OpenAPI document of the service, or that of the admin API.',
  flags: { admin: toggle('print the OpenAPI document of the admin API') },
  async run({ values, positionals, terminal }) {
    refuseWords(positionals);
    const text = values.admin
      ? (await import('../../generated/built/admin-openapi.js')).adminOpenapi
      : (await import('../../generated/built/openapi.js')).openapi;
    terminal.out(text.trimEnd());
    return 0;
  },
});

import { UsageError } from '../usage-error.js';
import { toggle } from '../args.js';
import { packageFile } from '../package-files.js';
import { defineCommand, refuseWords } from './command.js';

export const command = defineCommand({
  usage: 'spec [--admin | --operator]',
  what: 'Prints the OpenAPI document of the service, of the admin API, or of the operator API.',
  flags: {
    admin: toggle('print the OpenAPI document of the admin API'),
    operator: toggle('print the OpenAPI document of the operator API of a hosted deployment'),
  },
  async run({ values, positionals, terminal }) {
    refuseWords(positionals);
    if (values.admin && values.operator)
      throw new UsageError('Choose `--admin` or `--operator`: one document at a time.');
    const name = values.admin ? 'admin-openapi' : values.operator ? 'operator-openapi' : 'openapi';
    terminal.out((await packageFile(`dist/${name}.json`)).toString().trimEnd());
    return 0;
  },
});

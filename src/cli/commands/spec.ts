import { loadAdminOpenapi, loadOpenapi, loadOperatorOpenapi } from '../../contract/index.js';
import { UsageError } from '../usage-error.js';
import { toggle } from '../args.js';
import { defineCommand, refuseWords } from './command.js';

/** Each document is large and loaded only when it is printed. */
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
    terminal.out((await textOf(values)).trimEnd());
    return 0;
  },
});

async function textOf({ admin, operator }: { readonly admin?: boolean; readonly operator?: boolean }): Promise<string> {
  if (admin) return loadAdminOpenapi();
  if (operator) return loadOperatorOpenapi();
  return loadOpenapi();
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The command of a tool that is not a dependency of the project.
 *
 * @throws {Error} that says how to install it.
 */
export function toolAt(folder: string, command: string, install: string): string {
  const tools = process.env['TEEBOX_TOOLS'];
  const file = join(tools ?? '', folder, 'node_modules/.bin', command);
  if (tools && existsSync(file)) return file;
  throw new Error(
    `${command} is missing. Run \`mkdir -p TOOLS/${folder} && npm install --prefix TOOLS/${folder} ${install}\`, where TOOLS is a folder of yours, and set TEEBOX_TOOLS to it.`,
  );
}

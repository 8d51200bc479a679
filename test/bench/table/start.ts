import { closeSync, mkdirSync, openSync } from 'node:fs';
import { CLI } from '../../support/network/process.js';
import { directory, serveArguments, type Server, startServer } from '../children.js';

const logFlags = { silent: ['--log-level', 'silent'], default: [] } as const;

/** How Teebox is started for the table. */
export interface TeeboxStart {
  readonly log: keyof typeof logFlags;
  /** Another build of the command. */
  readonly cli?: string;
  readonly pinned?: boolean;
  /** Flags of node itself; with them it ends by itself, so that it writes what they ask for. */
  readonly node?: readonly string[];
}

/** The command as users have it; its log goes to a file, as that of a service does. */
export function startLogged({ log, cli = CLI, pinned = true, node = [] }: TeeboxStart): Promise<Server> {
  mkdirSync(directory, { recursive: true });
  const written = openSync(`${directory}server.log`, 'w');
  const args = [...node, cli, ...serveArguments, ...logFlags[log]];
  const started = startServer(args, { log: written, pinned }, node.length > 0 ? 'SIGTERM' : 'SIGKILL');
  closeSync(written);
  return started;
}

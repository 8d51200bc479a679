import type { Flags } from '../args.js';
import { checkFlags } from '../commands/check-flags.js';
import type { FlagGroup } from '../help/usage.js';
import { serveFlags, worldFlags, worldGroups } from '../commands/serve-flags.js';

const { port, state, 'admin-token': adminToken } = serveFlags;

/** Options for the sandbox of this process only. */
export const ownFlags = {
  port: { ...port, env: ['TEEBOX_PORT'], help: 'port of the sandbox, on 127.0.0.1; 0 picks a free one (0)' },
  ...worldFlags,
  state,
} as const satisfies Flags;

export const mcpFlags = {
  ...ownFlags,
  attach: {
    value: 'URL',
    help: 'use the sandbox that runs at this base URL, or a world of it, instead of starting one',
    due: 'the base URL of a running sandbox, such as http://127.0.0.1:4653/w/agent',
    read: (text: string) => (/^https?:\/\/[^\s/?#][^\s?#]*$/.test(text) ? text.replace(/\/+$/, '') : undefined),
  },
  'admin-token': { ...adminToken, help: 'bearer token of 16 or more characters that the admin API requires (none)' },
  allow: {
    ...checkFlags.allow,
    help: 'what the tool check may do to a deployment beyond reading, if the agent asks for it (default: nothing)',
  },
} as const satisfies Flags;

/** The groups of `mcpFlags` in the help. */
export const mcpGroups = [
  ['Which sandbox', ['port', 'state', 'attach', 'admin-token']],
  ...worldGroups,
  ['Permissions of the agent', ['allow']],
] as const satisfies readonly FlagGroup<keyof typeof mcpFlags>[];

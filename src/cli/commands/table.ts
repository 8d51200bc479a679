import type { CommandEntry, CommandModule } from './command.js';

const loading =
  (module: () => Promise<{ readonly command: CommandModule }>): CommandEntry['load'] =>
  async () =>
    (await module()).command;

/** The commands of `teebox`, in the order of the help. Add a new command here. */
export const commands = {
  serve: {
    usage: 'serve',
    summary: 'run the sandbox (the default command)',
    isBasic: true,
    load: loading(() => import('./serve.js')),
  },
  exec: {
    usage: 'exec [FLAGS] -- COMMAND',
    summary: 'run a command with its own sandbox',
    isBasic: true,
    load: loading(() => import('./exec.js')),
  },
  check: {
    usage: 'check BASE_URL [FLAGS]',
    summary: 'check whether a deployment conforms to the API specification',
    isBasic: true,
    inThread: true,
    load: loading(() => import('./check-command.js')),
  },
  twin: {
    usage: 'twin BASE_URL --out FILE',
    summary: 'copy the facilities of a deployment into a file for `serve --world`',
    isBasic: true,
    inThread: true,
    load: loading(() => import('../twin/command.js')),
  },
  explore: {
    usage: 'explore BASE_URL [FLAGS]',
    summary: 'search a deployment for contradictions, by random walks of bookings and parallel requests',
    inThread: true,
    load: loading(() => import('./explore-command.js')),
  },
  certify: {
    usage: 'certify [FLAGS] -- COMMAND',
    summary: 'check a client of the service: run its tests, each time with different failures',
    isBasic: true,
    load: loading(() => import('../certify/command.js')),
  },
  diff: {
    usage: 'diff OLD.json NEW.json',
    summary: 'compare two reports of check',
    load: loading(() => import('./diff.js')),
  },
  proxy: {
    usage: 'proxy TARGET [FLAGS]',
    summary: 'pass requests on to a deployment, and check both sides of the traffic',
    load: loading(() => import('../proxy/command.js')),
  },
  mcp: {
    usage: 'mcp [FLAGS] [-- COMMAND]',
    summary: 'serve the Model Context Protocol, for coding agents',
    load: loading(() => import('../mcp/command.js')),
  },
  replay: {
    usage: 'replay CAPSULE.json [FLAGS]',
    summary: 'send the requests of a capsule again, and compare the responses',
    load: loading(() => import('../capsules/command.js')),
  },
  list: {
    usage: 'list KIND [ID | GLOB ...]',
    summary: 'list scenarios, rules, questions or obligations, or show one in full',
    load: async () => (await import('./listings.js')).listCommand,
  },
  scenarios: {
    usage: 'scenarios [ID | GLOB ...]',
    summary: 'list the failures that you can inject: short for list scenarios',
    isBasic: true,
    load: async () => (await import('./listings.js')).scenariosCommand,
  },
  spec: {
    usage: 'spec [--admin | --operator]',
    summary: 'print the OpenAPI document of the service, the admin API or the operator API',
    load: loading(() => import('./spec.js')),
  },
  init: {
    usage: 'init [KIND ...]',
    summary: 'write starter files: a Vitest, Jest or Playwright test, or a CI job for a deployment',
    load: loading(() => import('../init/command.js')),
  },
  completion: {
    usage: 'completion bash|zsh|fish',
    summary: 'print a script that completes commands, flags and their values in a shell',
    load: loading(() => import('./completion.js')),
  },
  help: {
    usage: 'help [TOPIC | COMMAND]',
    summary: 'explain a topic or a command',
    load: loading(() => import('../help/command.js')),
  },
} as const satisfies Readonly<Record<string, CommandEntry>>;

export type CommandName = keyof typeof commands;

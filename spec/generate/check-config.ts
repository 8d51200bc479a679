import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Flag, Flags } from '../../src/cli/args.js';
import { certifyFlags } from '../../src/cli/certify/flags.js';
import { checkFlags } from '../../src/cli/commands/check-flags.js';
import { serveFlags } from '../../src/cli/commands/serve-flags.js';
import { proxyFlags } from '../../src/cli/proxy/flags.js';
import { rootFolder } from './folders.js';

const file = resolve(rootFolder, 'spec/check.schema.json');

/** Flags for one call: the file itself, and what to do other than the usual. */
const elsewhere: readonly string[] = ['config', 'list', 'verify', 'serve'];

function settingsOf(flags: Flags): Record<string, object> {
  const settings = Object.entries(flags).filter(([name]) => !elsewhere.includes(name));
  return Object.fromEntries(settings.map(([name, flag]) => [name, propertyOf(flag)]));
}

/** A section of the file: the flags of a command. */
function sectionOf(command: string, flags: Flags): object {
  return {
    description: `settings of \`teebox ${command}\`; flags and the environment override them`,
    type: 'object',
    additionalProperties: false,
    properties: settingsOf(flags),
  };
}

/** The schema of `teebox.config.yaml`: every flag of its commands has its place in it. */
function checkConfigSchema(): object {
  const settings = { ...settingsOf(checkFlags), severity: { $ref: '#/$defs/severities' } };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of teebox',
    description: 'A text may have ${NAME}, which is the environment variable NAME.',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      serve: sectionOf('serve', serveFlags),
      proxy: sectionOf('proxy', proxyFlags),
      certify: sectionOf('certify', certifyFlags),
      defaults: {
        description: 'settings of every target',
        type: 'object',
        additionalProperties: false,
        properties: settings,
      },
      targets: {
        description: 'deployments by name, for `teebox check NAME`',
        type: 'object',
        minProperties: 1,
        additionalProperties: {
          type: 'object',
          additionalProperties: false,
          properties: { url: { description: 'base URL of the deployment', type: 'string' }, ...settings },
        },
      },
    },
    $defs: {
      severities: {
        description: 'severities instead of those of the catalogue, by the id of the rule',
        type: 'object',
        additionalProperties: {
          type: 'object',
          additionalProperties: false,
          required: ['severity', 'reason'],
          properties: {
            severity: { type: 'string', enum: ['critical', 'major', 'minor'] },
            reason: { description: 'why; the reports show it', type: 'string', pattern: '\\S' },
          },
        },
      },
    },
  };
}

/** A text may name the environment, so every setting may be one. */
function propertyOf(flag: Flag): object {
  const described = { description: flag.help };
  if (flag.value === undefined) return { ...described, type: ['boolean', 'string'] };
  if (flag.repeatable || isList(flag)) return { ...described, type: ['string', 'array'], items: { type: 'string' } };
  // A bare number is a typo: nobody knows its unit.
  if (flag.value === 'DURATION') return { ...described, type: 'string', 'x-teebox-due': flag.due };
  return { ...described, type: isNumber(flag) ? ['number', 'string'] : 'string' };
}

function isNumber(flag: Flag): boolean {
  return typeof flag.read('1') === 'number';
}

/** One flag with several words, such as `--allow bookings,payments`. */
function isList(flag: Flag): boolean {
  return flag.due.startsWith('a list of ');
}

/** Whether the schema was out of date; if so, it is written unless only looked at. */
export function staleCheckConfig(write: boolean): string[] {
  const text = `${JSON.stringify(checkConfigSchema(), null, 2)}\n`;
  if (readFileSync(file, 'utf8') === text) return [];
  if (write) writeFileSync(file, text);
  return ['spec/check.schema.json'];
}

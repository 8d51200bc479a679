import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAgent } from '../../support/network/mcp.js';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
}

/** Input that a schema allows, with a text in each place that takes one. */
function inputOf(schema: Schema, text: string): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return inputOf(schema.anyOf[0]!, text);
  if (schema.type === 'array') return [inputOf(schema.items ?? { type: 'string' }, text)];
  if (schema.type === 'boolean') return true;
  if (schema.type === 'string') return text;
  if (schema.type !== 'object') return 1;
  const members = Object.entries(schema.properties ?? {});
  return Object.fromEntries(members.map(([name, member]) => [name, inputOf(member, text)]));
}

/** These two would take long with everything. */
const few = { check: { only: ['countries.*'] }, certify: { exams: ['happy-day'] } };

test('whatever an agent asks for, no file is written and only the command of the user runs', async () => {
  const root = mkdtempSync(join(tmpdir(), 'teebox-agent-'));
  const folder = join(root, 'project');
  const log = join(root, 'runs');
  mkdirSync(join(folder, 'tmp'), { recursive: true });
  const script = `require('node:fs').appendFileSync(${JSON.stringify(log)}, JSON.stringify(process.argv.slice(1)) + ' ')`;
  const command = [process.execPath, '-e', script, 'one word'];
  const env = { HOME: folder, TMPDIR: join(folder, 'tmp'), PATH: process.env['PATH']! };
  const agent = await startAgent(['--', ...command], env, folder);
  try {
    const { tools } = await agent.client.listTools();
    const texts = ['out.json', '; touch out.json', '$(touch out.json)', '--report=json=out.json'];
    for (const { name, inputSchema } of tools) {
      const { properties = {} } = inputSchema as Schema;
      const base: object = few[name as keyof typeof few] ?? {};
      const more = Object.entries(properties).flatMap(([one, schema]) =>
        texts.map((text) => ({ ...base, [one]: inputOf(schema, text) })),
      );
      const changed = more.filter((input) => texts.some((text) => JSON.stringify(input).includes(text)));
      for (const input of [base, ...changed]) await agent.call(name, input as Record<string, unknown>);
    }
  } finally {
    await agent.close();
  }
  // Node 24 keeps the compiled code of the command among temporary files.
  const written = readdirSync(folder, { recursive: true }).map(String);
  expect(written.filter((name) => !name.startsWith(join('tmp', 'node-compile-cache')))).toEqual(['tmp']);
  expect(readFileSync(log, 'utf8')).toMatch(/^(?:\["one word"\] )+$/);
  rmSync(root, { recursive: true });
});

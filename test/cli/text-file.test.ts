import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { readSection } from '../../src/cli/commands/check-config.js';
import { trustOf } from '../../src/cli/commands/reach.js';
import { readJson } from '../../src/cli/json-file.js';
import { readScenarioFolder } from '../../src/cli/scenario-files.js';
import { readLog } from '../../src/cli/state/read-log.js';
import { openStateFile } from '../../src/cli/state/state-file.js';
import { readText, utf8Of } from '../../src/cli/text-file.js';
import { openTokenFile } from '../../src/cli/token-file.js';
import { UsageError } from '../../src/cli/usage-error.js';
import { createSandbox } from '../../src/engine/library.js';
import { ownScenario } from '../support/scenarios/own-scenario.js';

const folder = mkdtempSync(join(tmpdir(), 'text-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const state = (await createSandbox({ now: '2026-06-01T08:00:00Z' })).snapshot();
let count = 0;
const fileWith = (bytes: Buffer, name = 'file'): string => {
  const path = join(folder, `${(count += 1)}-${name}`);
  writeFileSync(path, bytes);
  return path;
};

const utf16 = (text: string, mark: string, swap: boolean): Buffer => {
  const bytes = Buffer.from(mark + text, 'utf16le');
  return swap ? bytes.swap16() : bytes;
};
const MARK = '\ufeff';
const encodings: readonly (readonly [string, (text: string) => Buffer])[] = [
  ['UTF-8', (text) => Buffer.from(text)],
  ['UTF-8 with a mark', (text) => Buffer.from(MARK + text)],
  ['UTF-16LE, as PowerShell writes it', (text) => utf16(text, MARK, false)],
  ['UTF-16BE', (text) => utf16(text, MARK, true)],
  ['UTF-16LE without a mark', (text) => utf16(text, '', false)],
  ['UTF-16BE without a mark', (text) => utf16(text, '', true)],
];

describe.each(encodings)('a file in %s', (_, encode) => {
  test('is read as the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        expect(utf8Of(encode(`"${value}`)).toString()).toBe(`"${value}`);
      }),
      { numRuns: 50 },
    );
  });

  test('is read as JSON, with line ends of Windows', async () => {
    const file = fileWith(encode('{\r\n  "name": "Parcours des Chênes ⛳"\r\n}\r\n'));
    for (const kind of ['report', 'recording', 'capsule', 'dialect', 'baseline', 'walk', 'certificate'] as const) {
      expect(await readJson(file, kind, (value) => value)).toEqual({ name: 'Parcours des Chênes ⛳' });
    }
  });

  test('is read as the same JSON wherever the reading of the file cuts it', async () => {
    const names = Array.from({ length: 3 }, (_, before) => `${'x'.repeat(before)}${'aß€⛳'.repeat(20_000)}`);
    expect(await readJson(fileWith(encode(JSON.stringify({ names }))), 'report', (value) => value)).toEqual({ names });
    const kept = await readJson(fileWith(encode('{"a":[1,2],"b":{"c":[3]}}')), 'report', (value) => value, String);
    expect(kept).toEqual({ a: ['1', '2'], b: { c: ['3'] } });
  });

  test('is read as a token file, a configuration, a certificate and a scenario', async () => {
    const tokens = fileWith(encode('{"refresh_token":"first"}'));
    expect(await (await openTokenFile(tokens)).read()).toEqual({ refreshToken: 'first' });
    const config = fileWith(encode('serve:\r\n  seed: 7\r\n'));
    const flags = { seed: { value: 'N', help: '', due: '', read: Number } };
    expect(await readSection('serve', flags, config, {})).toEqual({ seed: 7 });
    const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    expect((await trustOf({ ca: fileWith(encode(pem)) }, {})).ca).toBe(pem);
    const scenarios = mkdtempSync(join(folder, 'scenarios-'));
    writeFileSync(join(scenarios, 'a.json'), encode(JSON.stringify(ownScenario({ id: 'first' }))));
    expect((await readScenarioFolder(scenarios)).map(({ id }) => id)).toEqual(['first']);
  });

  test('is read as a state, which the first change then writes in UTF-8', async () => {
    const text = `${JSON.stringify(state)}\n[]\n`;
    const file = await openStateFile(fileWith(encode(text)), 'interval', () => {});
    expect(file.state).toEqual(state);
    await file.close();
    expect(readLog(Buffer.from(text)).state).toEqual(state);
  });
});

const refused: readonly (readonly [string, Buffer, string])[] = [
  ['gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0]), 'it is compressed with gzip. Decompress it first.'],
  ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0]), 'it is compressed with zstd. Decompress it first.'],
  ['a ZIP archive', Buffer.from('PK\u0003\u0004'), 'it is a ZIP archive. Unpack it first.'],
  ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]), 'it is encoded in UTF-32. Save it as UTF-8.'],
  ['UTF-32BE', Buffer.from([0, 0, 0xfe, 0xff, 0, 0, 0, 0x7b]), 'it is encoded in UTF-32. Save it as UTF-8.'],
  ['zeros', Buffer.alloc(64), 'it is no text. Name a file in UTF-8.'],
];
test.each(refused)('a file with %s is refused with what it is', async (_, bytes, why) => {
  const file = fileWith(bytes);
  const read = readJson(file, 'report', (value) => value);
  await expect(read).rejects.toThrow(`Failed to load report ${file}: ${why}`);
  expect(() => utf8Of(bytes)).toThrow(why);
});

test('an empty file is no JSON', async () => {
  const read = readJson(fileWith(Buffer.alloc(0)), 'baseline', (value) => value);
  await expect(read).rejects.toThrow(/it is not JSON/);
});

test('a file of gigabytes is refused in words, and is not read', async () => {
  const file = fileWith(Buffer.alloc(0));
  truncateSync(file, 3 * 2 ** 30);
  const before = process.memoryUsage().arrayBuffers;
  const most = 256 * 2 ** 20;
  await expect(readText(file, most, (why) => new UsageError(why))).rejects.toThrow('it is larger than 256 MiB.');
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(most / 4);
  const state = openStateFile(file, 'interval', () => {});
  await expect(state).rejects.toThrow(`Failed to load state ${file}: it is larger than 2 GiB.`);
});

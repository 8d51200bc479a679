import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readArguments, secretText, withoutStrayEnds } from '../../src/cli/args.js';
import { checkFlags } from '../../src/cli/commands/check-flags.js';
import { checkOptionsOf } from '../../src/cli/commands/check.js';
import { serveFlags } from '../../src/cli/commands/serve-flags.js';

const pair = { username: 'fairway', password: 'not a secret' };
const TEXT = 'fairway:not a secret';

describe('a secret', () => {
  test.each(['\r', '\n', '\r\n', '\n\n', '\ufeff', '\u200b', '\t', '\0', '\u2028'])(
    'may have %j around it',
    (stray) => {
      for (const text of [`${TEXT}${stray}`, `${stray}${TEXT}`]) {
        expect(readArguments(checkFlags, [], { TEEBOX_BASIC: text }).values.basic).toEqual(pair);
        expect(readArguments(checkFlags, ['--basic', text], {}).values.basic).toEqual(pair);
      }
      const env = { TEEBOX_REFRESH_TOKEN: ` a-token ${stray}`, TEEBOX_GATEWAY_BASIC: TEXT + stray };
      const { values } = readArguments(checkFlags, ['--header', `X-Key: value${stray}`], env);
      expect(values).toMatchObject({ 'refresh-token': 'a-token', 'gateway-basic': pair, header: [['X-Key', 'value']] });
    },
  );

  test.each(['""', "''", '``', '“”', '‘’'])('may be in %s as a whole', ([open, close]) => {
    const env = { TEEBOX_BASIC: `${open}${TEXT}${close}`, TEEBOX_REFRESH_TOKEN: `${open}a-token${close}\r\n` };
    expect(readArguments(checkFlags, [], env).values).toMatchObject({ basic: pair, 'refresh-token': 'a-token' });
  });

  test.each([
    ['a line break', 'fair\nway:secret', 'has a line break in it, after 4 characters'],
    ['a line break of Windows', 'fairway:se\r\ncret', 'has a line break in it, after 10 characters'],
    ['a control character', 'fairway:\u001bsecret', 'has a control character in it, after 8 characters'],
  ])('with %s in it is named, and not repeated', (_, text, words) => {
    const read = () => readArguments(checkFlags, [], { TEEBOX_BASIC: text });
    expect(read).toThrow(`The environment variable TEEBOX_BASIC ${words}`);
    expect(() => readArguments(checkFlags, ['--basic', text], {})).toThrow(`--basic ${words}`);
    expect(read).not.toThrow(/secret/);
  });

  test.each(['Bearer a-token', 'a token', 'a"token'])('token %j is none', (text) => {
    expect(() => readArguments(checkFlags, ['--refresh-token', text], {})).toThrow(
      /without blanks and quotation marks/,
    );
  });

  test('in two variables is read alike', async () => {
    const env = { TEEBOX_USERNAME: 'fairway\r\n', TEEBOX_PASSWORD: 'not a secret\n' };
    expect((await checkOptionsOf('http://127.0.0.1:1', {}, env)).first).toEqual({ basic: pair });
    const broken = checkOptionsOf('http://127.0.0.1:1', {}, { ...env, TEEBOX_PASSWORD: 'a\nb' });
    await expect(broken).rejects.toThrow('The environment variable TEEBOX_PASSWORD has a line break in it');
  });

  test('keeps every character that can be meant', () => {
    const meant = fc.string({ unit: fc.constantFrom(...'aZ09 "\'`:;%$&?=+/\\é⛳') });
    fc.assert(fc.property(meant, (text) => secretText(`\r\n${text}\r\n`, 'it') === text));
  });
});

test('other values may have line breaks around them, too', () => {
  expect(readArguments(serveFlags, [], { TEEBOX_PORT: '8080\r' }).values.port).toBe(8080);
  expect(withoutStrayEnds('\ufeff a b \r\n')).toBe(' a b ');
});

import { describe, expect, test } from 'vitest';
import { whyNotPublic } from '../../../../src/hosted/callbacks/addresses.js';
import { hostOf, readHost } from '../../../../src/hosted/callbacks/host-name.js';

describe('an address is public or not', () => {
  const rows: readonly (readonly [address: string, want: string | null])[] = [
    ['93.184.215.14', null],
    ['1.1.1.1', null],
    ['172.15.255.255', null],
    ['172.32.0.1', null],
    ['100.128.0.1', null],
    ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', null],
    ['2001:4860:4860::8888', null],
    ['127.0.0.1', 'a loopback address'],
    ['127.255.255.254', 'a loopback address'],
    ['::1', 'a loopback address'],
    ['10.0.0.1', 'a private address'],
    ['172.16.0.1', 'a private address'],
    ['172.31.255.255', 'a private address'],
    ['192.168.1.1', 'a private address'],
    ['fc00::1', 'a private address'],
    ['fd12:3456:789a::1', 'a private address'],
    ['169.254.169.254', 'a link-local address'],
    ['fe80::1', 'a link-local address'],
    ['100.64.0.1', 'an address of a carrier'],
    ['100.100.100.200', 'an address of a carrier'],
    ['224.0.0.1', 'a multicast address'],
    ['ff02::1', 'a multicast address'],
    ['255.255.255.255', 'a broadcast address'],
    ['0.0.0.0', 'no address of a host'],
    ['0.1.2.3', 'no address of a host'],
    ['::', 'no address of a host'],
    ['::ffff:10.0.0.1', 'an address that represents another one'],
    ['::ffff:93.184.215.14', 'an address that represents another one'],
    ['64:ff9b::a00:1', 'an address that represents another one'],
    ['64:ff9b:1::a00:1', 'an address that represents another one'],
    ['2002:a00:1::', 'an address that represents another one'],
    ['2001::a00:1', 'an address that represents another one'],
    ['192.0.0.1', 'a reserved address'],
    ['192.0.2.1', 'a reserved address'],
    ['198.18.0.1', 'a reserved address'],
    ['198.51.100.1', 'a reserved address'],
    ['203.0.113.1', 'a reserved address'],
    ['240.0.0.1', 'a reserved address'],
    ['2001:db8::1', 'a reserved address'],
    ['3fff::1', 'a reserved address'],
    ['100::1', 'a reserved address'],
    ['fec0::1', 'a reserved address'],
    ['5f00::1', 'a reserved address'],
    ['::7f00:1', 'a reserved address'],
    ['4000::1', 'a reserved address'],
    ['partner.example', 'no IP address'],
    ['', 'no IP address'],
  ];
  test.each(rows)('%s', (address, want) => {
    expect(whyNotPublic(address)).toBe(want);
  });
});

describe('a host that may be verified', () => {
  const rows: readonly (readonly [given: unknown, want: string | null])[] = [
    ['partner.example', 'partner.example'],
    [' Partner.Example. ', 'partner.example'],
    ['partner.example:443', 'partner.example'],
    ['partner.example:8443', 'partner.example:8443'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['93.184.215.14', '93.184.215.14'],
    ['[2606:2800::1]:8443', '[2606:2800::1]:8443'],
    // A number is an address in URLs.
    ['2130706433', '127.0.0.1'],
    ['partner.example:80', null],
    ['partner.example:25', null],
    ['partner.example:70000', null],
    ['https://partner.example', null],
    ['partner.example/path', null],
    ['me:secret@partner.example', null],
    ['partner.example?a', null],
    ['a b', null],
    ['[::1', null],
    ['', null],
    ['x'.repeat(300), null],
    [42, null],
    [null, null],
  ];
  test.each(rows)('%j is %j', (given, want) => {
    const read = (): string => readHost(given);
    if (want === null) expect(read).toThrow('`host` must be a host name or a public IP address');
    else expect(read()).toBe(want);
  });
});

describe('the host under which an address must be verified', () => {
  const rows: readonly (readonly [address: string, want: string | undefined])[] = [
    ['https://partner.example/results', 'partner.example'],
    ['http://partner.example/results', 'partner.example'],
    ['http://PARTNER.example.:443/', 'partner.example'],
    ['https://me:secret@partner.example:8443/', 'partner.example:8443'],
    ['http://partner.example:8080/', 'partner.example:8080'],
    ['http://partner.example:25/', undefined],
    ['https://partner.example:1023/', undefined],
    ['http://0x7f.1/', '127.0.0.1'],
  ];
  test.each(rows)('%s: %s', (address, want) => {
    expect(hostOf(new URL(address))).toBe(want);
  });
});
